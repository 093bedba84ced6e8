import { controllers as all, type Controller } from './list.ts';

/** @throws Error for a name that no controller has */
export function chooseControllers(wanted: readonly string[]): readonly Controller[] {
  const known = new Set(all.map(({ name }) => name));
  for (const name of wanted) {
    const bare = name.replace(/^[-+]/, '');
    if (bare !== '*' && !known.has(bare))
      throw new Error(`--controllers: there is no controller ${JSON.stringify(bare)}`);
  }
  return all.filter(({ name, byDefault = true }) => {
    if (wanted.includes(`-${name}`)) return false;
    return wanted.includes(name) || wanted.includes(`+${name}`) || (byDefault && wanted.includes('*'));
  });
}
