import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decode, encode, type SourceMapLine } from '@jridgewell/sourcemap-codec';
import type { OutputChunk } from 'rolldown';

interface SourceMap {
  readonly mappings: string;
  readonly names: readonly string[];
  readonly sourcesContent: readonly string[];
}

/** Comments that have their lines for themselves. */
const comments = /^[ \t]*(?:\/\*\*[\s\S]*?\*\/|\/\/.*$)/gm;

/**
 * Who steps through the sources does without most comments, though each line of code stays where it is, and a stack
 * leads to a line: to know columns and names too takes four times the room.
 */
export function lighten(dist: string, { sourcemapFileName }: OutputChunk): void {
  if (!sourcemapFileName) return;
  const file = join(dist, sourcemapFileName);
  const map: SourceMap = JSON.parse(readFileSync(file, 'utf8'));
  const sourcesContent = map.sourcesContent.map((text) =>
    text.replaceAll(comments, (comment) => comment.replaceAll(/[^\n]/g, '')),
  );
  const mappings = encode(decode(map.mappings).map(linesAlone));
  writeFileSync(file, JSON.stringify({ ...map, sourcesContent, mappings, names: [] }));
}

/** Of a line that was made, where each line that it was made of begins in it. */
function linesAlone(made: SourceMapLine): SourceMapLine {
  const positions = made.filter((each) => each.length > 1);
  const begins = ([, source, line]: SourceMapLine[number], before?: SourceMapLine[number]) =>
    source !== before?.[1] || line !== before?.[2];
  return positions
    .filter((each, index) => begins(each, positions[index - 1]))
    .map(([at, source = 0, line = 0, column = 0]) => [at, source, line, column]);
}
