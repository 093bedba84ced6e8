import { readFileSync } from 'node:fs';
import { perKey } from '../base/caches/memo.ts';

const read = perKey((name: string): unknown =>
  JSON.parse(readFileSync(new URL(`./v1.25/${name}.json`, import.meta.url), 'utf8')),
);

/** One imported file of `v1.25/`, read on first use and shared by all servers of the process; must not be changed. */
export const importedData = <T>(name: string): T => read(name) as T;
