// Runs one step of `npm test` in its own process, and sends the result to the process that started it
// (`inBackground` in chain.mjs). Arguments: URL of a module that exports `steps`, and the name of the step.
import { attempt } from './chain.mjs';

const [module, name] = process.argv.slice(2);
// A process that was not started by `fork` can't send anything.
if (process.send) {
  const { steps } = await import(module);
  process.send(await attempt(steps.find(step => step.name === name)), () => process.exit());
}
