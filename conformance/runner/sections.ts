import { readdirSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { entryOf } from '../catalogue/catalogue.ts';
import type { Rule } from '../rule.ts';

/** A file of rules. */
export interface Section {
  /** Absolute. */
  readonly file: string;
  /** The beginning of the ids in it: `lists.paging` for lists/paging.rules.ts. */
  readonly prefix: string;
  readonly rules: readonly Rule[];
}

/** Compiled once published. */
const ending = `.rules${extname(import.meta.filename)}`;

export const rulesFolder = join(import.meta.dirname, '..', 'rules');

export const prefixOf = (file: string, folder = rulesFolder): string =>
  file
    .slice(folder.length + 1, -ending.length)
    .split(sep)
    .join('.');

/** Loads every file of rules. Throws when a rule is unknown, stands in the wrong file, or stands twice. */
export async function loadSections(folder = rulesFolder): Promise<Section[]> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith(ending));
  const sections = await Promise.all(files.sort().map((file) => loadSection(join(folder, file), folder)));
  const seen = new Set<string>();
  for (const rule of sections.flatMap((section) => section.rules)) {
    if (seen.has(rule.id)) throw new Error(`the rule ${rule.id} is defined twice`);
    seen.add(rule.id);
  }
  return sections;
}

async function loadSection(file: string, folder: string): Promise<Section> {
  const rules = await loadRules(file);
  const prefix = prefixOf(file, folder);
  for (const { id } of rules) {
    if (!id.startsWith(`${prefix}.`)) throw new Error(`the rule ${id} does not belong into ${file}`);
    entryOf(id);
  }
  return { file, prefix, rules };
}

export async function loadRules(file: string): Promise<readonly Rule[]> {
  return ((await import(pathToFileURL(file).href)) as { default: readonly Rule[] }).default;
}
