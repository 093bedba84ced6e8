/** Words that cannot be names in an expression. */
const reserved: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

const usable = /^[a-zA-Z_./-][a-zA-Z0-9_./-]*$/;
const spelt: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/** The name under which rules see a property; undefined: they cannot see it. */
export function escapedName(name: string): string | undefined {
  if (!usable.test(name)) return undefined;
  if (reserved.has(name)) return `__${name}__`;
  return name.replace(/__|[./-]/g, (each) => spelt[each] as string);
}
