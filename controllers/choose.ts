import { noSuch, UsageError } from '../mistyped.ts';
import { controllers as all, type Controller } from './list.ts';

/**
 * @param pretenders whether `*` means those too that only pretend (a node, a scheduler), which a real cluster has
 * @throws UsageError for a name that no controller has
 */
export function chooseControllers(wanted: readonly string[], pretenders = false): readonly Controller[] {
  const known = new Set(all.map(({ name }) => name));
  for (const name of wanted) {
    const bare = name.replace(/^[-+]/, '');
    if (bare !== '*' && !known.has(bare))
      throw new UsageError(`--controllers: ${noSuch('controller', bare, known)}; there are ${[...known].join(', ')}`);
  }
  return all.filter(({ name, byDefault = true, pretends = false }) => {
    if (wanted.includes(`-${name}`)) return false;
    return (
      wanted.includes(name) ||
      wanted.includes(`+${name}`) ||
      (byDefault && (pretenders || !pretends) && wanted.includes('*'))
    );
  });
}
