import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Fault } from './fault.ts';

/** A file of faulty servers. */
export interface Subject {
  /** Its room and itself: `apply/ownership` for apply/ownership.faults.ts. */
  readonly name: string;
  readonly faults: readonly Fault[];
}

const ending = '.faults.ts';

/** Loads every file of faults, at any depth. Throws when two faults have one name. */
export async function loadCorpus(folder = import.meta.dirname): Promise<readonly Subject[]> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith(ending));
  const subjects = await Promise.all(files.sort().map((file) => loadSubject(file, folder)));
  const seen = new Map<string, string>();
  for (const { name: subject, faults } of subjects) {
    for (const { name } of faults) {
      const before = seen.get(name);
      if (before) throw new Error(`the fault "${name}" stands in ${before} and in ${subject}`);
      seen.set(name, subject);
    }
  }
  return subjects;
}

async function loadSubject(file: string, folder: string): Promise<Subject> {
  const { default: faults } = (await import(pathToFileURL(join(folder, file)).href)) as { default: readonly Fault[] };
  return { name: file.slice(0, -ending.length).split(sep).join('/'), faults };
}

export const roomOf = ({ name }: Subject): string => name.split('/')[0] ?? name;

/** The faults of a room or a file (`apply`, `apply/ownership`, `ownership`); else those that have the words in their name. */
export function chosenOf(subjects: readonly Subject[], words: string): readonly Subject[] {
  const called = subjects.filter(({ name }) => [name, ...name.split('/')].includes(words));
  if (called.length > 0) return called;
  return subjects
    .map(({ name, faults }) => ({ name, faults: faults.filter((fault) => fault.name.includes(words)) }))
    .filter(({ faults }) => faults.length > 0);
}
