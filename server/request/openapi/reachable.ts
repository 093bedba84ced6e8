type DefinitionOf<T> = (name: string) => T | undefined;

/**
 * The definitions that something refers to, directly or through others.
 * @param definitionOf asked once for each of them; who has none by a name is passed over
 * @param prefix what references begin with
 */
export function reachable<T>(root: unknown, definitionOf: DefinitionOf<T>, prefix: string): Record<string, T> {
  const found: Record<string, T> = {};
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, member] of Object.entries(value)) {
      if (key !== '$ref' || typeof member !== 'string') {
        pending.push(member);
        continue;
      }
      const name = member.slice(prefix.length);
      const definition = Object.hasOwn(found, name) ? undefined : definitionOf(name);
      if (definition) {
        found[name] = definition;
        pending.push(definition);
      }
    }
  }
  return found;
}
