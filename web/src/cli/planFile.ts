// Stores the plan of a batch in a file with one line of JSON per row. The file is written once
// and read by every shard.
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { LeftFile, Plan, PlannedResult } from './convertPlan.ts';
import type { IgnoredFile } from './folderSources.ts';
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
  const [first = '', ...lines] = readFileSync(path, 'utf8').split('\n');
  if (first !== JSON.stringify(head))
    throw new UsageError(`${path} is the plan of another command or of another version of rigcast; remove it to create a new one`);
  const plan: Plan = { results: [], left: [], ignored: [] };
  try {
    if (lines.pop() !== '') throw new SyntaxError('the last line is cut off');
    for (const line of lines) {
      const row = JSON.parse(line) as PlannedResult | LeftFile | IgnoredFile;
      if ('out' in row) plan.results.push(row);
      else if ('reason' in row) plan.ignored.push(row);
      else plan.left.push(row);
    }
  } catch (error) {
    throw new UsageError(`${path} is damaged (${(error as Error).message}); remove it to create a new one`);
  }
  return plan;
}

/**
 * Writes a plan and returns it. If another process has created the file in the meantime, returns
 * the plan of that process instead.
 */
export function writePlan(path: string, head: PlanHead, plan: Plan, random: string): Plan {
  const temporary = `${path}.${random}.part`;
  try {
    writeFileSync(temporary, [head, ...plan.results, ...plan.left, ...plan.ignored].map(row => `${JSON.stringify(row)}\n`).join(''));
    linkSync(temporary, path);
    return plan;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return readPlan(path, head) ?? plan;
    throw new UsageError(`the plan cannot be written: ${(error as Error).message}`);
  } finally {
    rmSync(temporary, { force: true });
  }
}
