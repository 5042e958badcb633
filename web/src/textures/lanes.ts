/** Runs tasks that many at a time, in the order they come. */
export function lanes(most: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async task => {
    if (running >= most)
      await new Promise<void>(resolve => waiting.push(resolve)); // whoever ends hands its place on
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
