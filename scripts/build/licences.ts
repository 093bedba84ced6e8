import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OutputChunk } from 'rolldown';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/** The folder of the package that a module belongs to; undefined for a module of ours. */
const packageOf = (id: string): string | undefined => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0];

/** A page with the licences of all libraries of which something is in these chunks. @throws Error when one has none */
export function licencesOf(chunks: readonly OutputChunk[]): string {
  const folders = new Set(chunks.flatMap(({ moduleIds }) => moduleIds.flatMap((id) => packageOf(id) ?? [])));
  const entries = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
    const files = globSync('{LICEN[CS]E,NOTICE}{,.*,-*}', { cwd: folder }).sort();
    if (!license && files.length === 0) throw new Error(`${name} ${version} has no licence`);
    const texts = files.map((file) => `\n\`\`\`\n${readFileSync(join(folder, file), 'utf8').trim()}\n\`\`\`\n`);
    return `## ${name} ${version}\n\n${license ?? ''}\n${texts.join('')}`;
  });
  return `# Libraries in this package\n\nOf each, the parts that are used are in \`chunks/\`.\n\n${entries.join('\n')}`;
}
