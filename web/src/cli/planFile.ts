// Stores the plan of a batch in a file with one line of JSON per row. The file is written once
// and read by every shard.
import { accessSync, constants, existsSync, linkSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { LeftFile, Plan, PlannedResult } from './convertPlan.ts';
import type { IgnoredFile } from './folderSources.ts';
import { linesOf, writeLines } from './lines.ts';
import { whyNotStored } from './results.ts';
import { UsageError } from './usage.ts';

/**
 * First line of the file: the command for which the plan was made. A plan that was made for another
 * command is rejected.
 */
export interface PlanHead {
  version: string;
  words: readonly string[];
  out: string;
  to: string;
  open: object;
}

/**
 * Reads a plan. Returns null if the file does not exist. Throws a UsageError if the plan was made
 * for another command or is damaged.
 */
export function readPlan(path: string, head: PlanHead): Plan | null {
  if (!existsSync(path)) return null;
  const plan: Plan = { results: [], left: [], ignored: [] };
  let hasHead = false;
  try {
    for (const line of linesOf(path)) {
      if (!hasHead) {
        if (line !== JSON.stringify(head))
          throw new UsageError(`${path} is the plan of another command or of another version of rigcast; remove it to create a new one`);
        hasHead = true;
        continue;
      }
      const row = JSON.parse(line) as PlannedResult | LeftFile | IgnoredFile;
      if ('out' in row) plan.results.push(row);
      else if ('reason' in row) plan.ignored.push(row);
      else plan.left.push(row);
    }
    if (!hasHead) throw new SyntaxError('it is empty');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if ((error as NodeJS.ErrnoException).syscall !== undefined)
      throw new UsageError(`the plan cannot be read: ${whyNotStored(error as NodeJS.ErrnoException, path)}`);
    throw new UsageError(`${path} is damaged (${(error as Error).message}); remove it to create a new one`);
  }
  return plan;
}

/** Throws a UsageError if no file can be created in the folder of a plan. */
export function checkPlanFolder(path: string): void {
  try {
    accessSync(dirname(path), constants.W_OK);
  } catch (error) {
    throw new UsageError(`the plan cannot be written: ${whyNotStored(error as NodeJS.ErrnoException, path)}`);
  }
}

/**
 * Writes a plan and returns it. If another process has created the file in the meantime, returns
 * the plan of that process instead.
 */
export function writePlan(path: string, head: PlanHead, plan: Plan, random: string): Plan {
  const temporary = `${path}.${random}.part`;
  try {
    writeLines(temporary, [head, ...plan.results, ...plan.left, ...plan.ignored]);
    linkSync(temporary, path);
    return plan;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return readPlan(path, head) ?? plan;
    throw new UsageError(`the plan cannot be written: ${whyNotStored(error as NodeJS.ErrnoException, path)}`);
  } finally {
    rmSync(temporary, { force: true });
  }
}
