import { readFileSync } from 'node:fs';

const cache = new Map<string, unknown>();

/** One imported file of `v1.25/`, read on first use and shared by all servers of the process; must not be changed. */
export function importedData<T>(name: string): T {
  if (!cache.has(name)) {
    cache.set(name, JSON.parse(readFileSync(new URL(`./v1.25/${name}.json`, import.meta.url), 'utf8')));
  }
  return cache.get(name) as T;
}
