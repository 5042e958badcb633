// The test files of the project `browser` share a page, so that it loads three.js and all modules
// once. Each file starts with an empty body, a window of the usual size and empty storage.
import { page } from 'vitest/browser';
import { afterAll } from 'vitest';

const settled = (request: IDBRequest | IDBTransaction): Promise<unknown> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', resolve);
    request.addEventListener('complete', resolve);
    request.addEventListener('error', () => reject(request.error));
  });

/** Empties all stores. The databases stay, because modules keep their connections to them. */
async function emptyDatabases(): Promise<void> {
  for (const { name } of await indexedDB.databases()) {
    if (!name) continue;
    const opening = indexedDB.open(name);
    await settled(opening);
    const database = opening.result;
    const stores = [...database.objectStoreNames];
    if (stores.length > 0) {
      const transaction = database.transaction(stores, 'readwrite');
      for (const store of stores) transaction.objectStore(store).clear();
      await settled(transaction);
    }
    database.close();
  }
}

localStorage.clear();
sessionStorage.clear();
await emptyDatabases();
await page.viewport(414, 896);

afterAll(() => document.body.replaceChildren());
