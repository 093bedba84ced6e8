import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Declared {
  readonly name: string;
  /** The text of its docstring, without stars. */
  readonly doc: string;
  readonly text: string;
}

const exported = /export\s+(?:type\s+)?\{([^}]*)\}\s+from\s+'(\.[^']+)'/g;
const everything = /export\s+\*\s+from\s+'(\.[^']+)'/g;
const declaration =
  /((?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?)^export (?:async )?(?:function|const|class|interface|type) (\w+)/gm;

/** The API reference: what each door of the package offers, from the docstrings in the sources. */
export function apiPage(root: string): string {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  };
  const doors = Object.entries(exports).flatMap(([door, target]) =>
    typeof target === 'string'
      ? []
      : [{ door: `touchstone${door.slice(1)}`, file: join(root, target['@touchstone/source'] ?? '') }],
  );
  const sections = doors.map(({ door, file }) => [`## ${door}`, '', ...offered(file).map(entry), ''].join('\n'));
  return ['# API', '', 'What can be imported, from the sources’ own words.', '', ...sections].join('\n');
}

const entry = ({ name, doc, text }: Declared): string =>
  `### ${name}\n\n${doc.replaceAll('<', '&lt;').replace(/\s*(@\w+)/g, '\n\n*$1*')}\n\n\`\`\`ts\n${text}\n\`\`\`\n`;

/** All that a module exports, by itself or from others. */
function offered(file: string, seen = new Set<string>()): readonly Declared[] {
  if (seen.has(file) || !existsSync(file)) return [];
  seen.add(file);
  const source = readFileSync(file, 'utf8');
  const own = [...source.matchAll(declaration)].map((match) => declared(source, match));
  const named = [...source.matchAll(exported)].flatMap(([, names = '', from = '']) => {
    const wanted = new Map(
      names.split(',').map((each) => {
        const [name = '', as = name] = each
          .trim()
          .replace(/^type /, '')
          .split(/ as /);
        return [name, as] as const;
      }),
    );
    return offered(join(dirname(file), from)).flatMap((each) => {
      const as = wanted.get(each.name);
      return as ? [{ ...each, name: as }] : [];
    });
  });
  const all = [...source.matchAll(everything)].flatMap(([, from = '']) => offered(join(dirname(file), from), seen));
  return [...own, ...named, ...all].toSorted((a, b) => a.name.localeCompare(b.name));
}

function declared(source: string, [whole, comment = '', name = '']: RegExpExecArray): Declared {
  const start = source.indexOf(whole) + comment.length;
  const doc = comment
    .replace(/^\/\*\*|\*\/\s*$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''))
    .join('\n')
    .trim();
  return { name, doc, text: shape(source.slice(start)) };
}

/** Interfaces and types as they stand; of functions, classes and values what is before their bodies. */
function shape(text: string): string {
  const rest = text.replace(/^export (?:async )?/, '');
  const [kind = ''] = rest.split(' ');
  if (kind === 'interface' || kind === 'type') return rest.slice(0, endOf(rest)).trim();
  const head = heads[kind]?.exec(rest)?.[0] ?? rest.split('\n')[0] ?? '';
  return head.trim();
}

const heads: Readonly<Record<string, RegExp>> = {
  function: /^[\s\S]*?(?= \{\n)/,
  class: /^[^{]*/,
  const: /^const (?:(?!;\n)[\s\S])*?(?= =>|;\n| = [{[])/,
};

/** Where a declaration ends: at the first line that begins at the margin with neither a bar nor a bracket. */
function endOf(text: string): number {
  const next = /\n(?=[^\s|})&])/.exec(text.slice(1));
  return next ? next.index + 1 : text.length;
}
