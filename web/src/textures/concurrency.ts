/** Returns a function that runs tasks in order, at most `limit` at a time. */
export function limitConcurrency(limit: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async task => {
    if (running >= limit)
      await new Promise<void>(resolve => waiting.push(resolve)); // a task that ends passes its slot to the next waiting task
    else running++;
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
