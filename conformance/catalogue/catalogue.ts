import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Level, Rule } from '../rule.ts';

/** Where a sentence can be seen to hold: over HTTP, with certain start flags, with controllers, at clients, or nowhere. */
export type Where = 'api' | 'config' | 'controller' | 'client' | 'internal';

/** One sentence of the documents, whether or not a check for it exists. */
export interface CatalogueEntry {
  readonly id: string;
  /** The first part of the id. */
  readonly chapter: string;
  readonly level: Level;
  readonly where: Where;
  /** What a check needs beside administrator rights, in words; empty for nothing. */
  readonly needs: readonly string[];
  /** Document and heading, several joined by `; `. */
  readonly source: string;
  readonly statement: string;
}

const columns = ['id', 'level', 'where', 'needs', 'source', 'statement'] as const;

/** Reads one table of the catalogue. Throws, naming the line, when a row does not have its six cells. */
export function parseChapter(markdown: string, file: string): CatalogueEntry[] {
  const entries: CatalogueEntry[] = [];
  for (const [index, line] of markdown.split('\n').entries()) {
    if (!line.startsWith('| `')) continue;
    const cells = line
      .slice(1, line.lastIndexOf('|'))
      .split('|')
      .map((cell) => cell.trim());
    if (cells.length !== columns.length) throw new Error(`${file}:${index + 1}: ${cells.length} cells instead of 6`);
    const [id, level, where, needs, source, statement] = cells as [string, Level, Where, string, string, string];
    const name = id.replaceAll('`', '');
    const chapter = name.slice(0, name.indexOf('.'));
    entries.push({ id: name, chapter, level, where, needs: needs === '-' ? [] : needs.split(', '), source, statement });
  }
  return entries;
}

function readCatalogue(folder: string): CatalogueEntry[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.md'));
  return files.sort().flatMap((file) => parseChapter(readFileSync(join(folder, file), 'utf8'), file));
}

/** Every documented rule, chapter by chapter. */
export const catalogue: readonly CatalogueEntry[] = readCatalogue(import.meta.dirname);

const byId = new Map(catalogue.map((entry) => [entry.id, entry]));

/** Throws for an id that the documents do not hold. */
export function entryOf(id: string): CatalogueEntry {
  const entry = byId.get(id);
  if (!entry) throw new Error(`no documented rule has the id ${id}`);
  return entry;
}

/** What is said of a rule, be it documented or somebody's own. */
export const entryFor = ({ id, own }: Rule): CatalogueEntry =>
  own ? { id, chapter: id.split('.')[0] ?? id, where: 'api', needs: [], ...own } : entryOf(id);
