import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { lazily } from '../base/caches/memo.ts';

/** What is said about a definition and its properties. */
export interface Description {
  readonly text: string | undefined;
  readonly properties: ReadonlyMap<string, string>;
}

/** The declarations of the client package carry the documented texts. They are read when a document is asked for. */
const models = lazily(() => {
  const main = createRequire(import.meta.url).resolve('@kubernetes/client-node');
  return join(dirname(main), 'gen', 'models');
});

const known = new Map<string, Description>();
const nothing: Description = { text: undefined, properties: new Map() };

/** What is said about a definition such as `io.k8s.api.core.v1.PodSpec`; nothing where the package does not know it. */
export function descriptionOf(definition: string): Description {
  const before = known.get(definition);
  if (before) return before;
  const text = classNames(definition)
    .map(declarationOf)
    .find((each) => each !== undefined);
  const found = text === undefined ? nothing : parseDeclaration(text);
  known.set(definition, found);
  return found;
}

/** In the client package each class has a file of its own; with ours they come in one. */
const together = lazily((): ReadonlyMap<string, string> => {
  const parts = readFileSync(join(models(), 'all.d.ts'), 'utf8').split(/(?<=^\})\n/m);
  return new Map(
    parts.flatMap((part) => (/^export declare class (\w+)/m.exec(part) ?? []).slice(1).map((name) => [name, part])),
  );
});

function declarationOf(name: string): string | undefined {
  const file = join(models(), `${name}.d.ts`);
  return existsSync(file) ? readFileSync(file, 'utf8') : together().get(name);
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The names that its class may have: those of several groups begin with the group; a beta may have become stable. */
export function classNames(definition: string): string[] {
  const [kind = '', version = '', group = ''] = definition.split('.').reverse();
  const versions = [version, version.replace(/(?:alpha|beta)\d+$/, '')].map(capital);
  return versions.flatMap((each) => [`${each}${kind}`, `${capital(group)}${each}${kind}`]);
}

const comment = String.raw`\/\*\*\n((?:\s*\*(?!\/).*\n)+)\s*\*\/\n`;
const classText = new RegExp(`${comment}export declare class`);
const member = new RegExp(String.raw`${comment}\s*'([^']+)'\??:`, 'g');

/** Reads the comments before a class and its members. */
export function parseDeclaration(source: string): Description {
  const properties = new Map<string, string>();
  for (const [, text = '', name = ''] of source.matchAll(member)) properties.set(fieldOf(name), plain(text));
  const [, text] = classText.exec(source) ?? [];
  return { text: text === undefined ? undefined : plain(text), properties };
}

/** What cannot be a name in the language is called a little otherwise: `_default`, `x_kubernetes_validations`. */
const fieldOf = (member: string): string =>
  member.startsWith('x_kubernetes_') ? member.replaceAll('_', '-') : member.replace(/^_+/, '');

const plain = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/^\s*\*\s?/, ''))
    .join('\n')
    .trim()
    .replace(/\\(['"`])/g, '$1');
