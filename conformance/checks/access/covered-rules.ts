import type { Answer } from '../../verbs/client.ts';
import type { Collection } from '../../verbs/collection.ts';
import type { RuleContext } from '../../verbs/context.ts';
import type { Json } from '../../verbs/json.ts';
import { grant } from './permissions.ts';

/** What somebody holds, and what he may give to others thereby, and may not. */
interface Cover {
  readonly what: string;
  readonly held: readonly Json[];
  readonly covered: readonly Json[];
  readonly beyond: readonly Json[];
  /** Paths are granted in the whole cluster alone. */
  readonly wide?: true;
}

/** A rule of a group of its own, so that none stands in for another. */
const ruleOf =
  (group: string) =>
  (resources: readonly string[], verbs: readonly string[] = ['get'], more: Json = {}): Json => ({
    ...{ apiGroups: [`${group}.touchstone.example`], resources, verbs },
    ...more,
  });

const below = ruleOf('below');
const all = ruleOf('all');
const any = ruleOf('any');
const some = ruleOf('some');
const both = ruleOf('both');
const names = (...resourceNames: readonly string[]): Json => ({ resourceNames });
const paths = (...nonResourceURLs: readonly string[]): Json => ({ nonResourceURLs, verbs: ['get'] });

const covers: readonly Cover[] = [
  {
    what: 'a subresource of every resource',
    held: [below(['*/scale'])],
    covered: [below(['things/scale']), below(['*/scale'])],
    beyond: [below(['things']), below(['things/status']), below(['*'])],
  },
  {
    what: 'every resource',
    held: [all(['*'], ['get', 'list'])],
    covered: [all(['things', 'things/status']), all(['*'], ['list'])],
    beyond: [all(['things'], ['watch']), all(['*'], ['*'])],
  },
  {
    what: 'every verb',
    held: [any(['things'], ['*'])],
    covered: [any(['things'], ['get', 'other'])],
    beyond: [any(['things/status'])],
  },
  {
    what: 'some names',
    held: [some(['things'], ['get'], names('one', 'two'))],
    covered: [some(['things'], ['get'], names('two'))],
    beyond: [some(['things']), some(['things'], ['get'], names('one', 'three'))],
  },
  {
    what: 'two rules',
    held: [both(['things']), both(['others'])],
    covered: [both(['things', 'others'])],
    beyond: [both(['things', 'others', 'more'])],
  },
  {
    ...{ what: 'every path below one', wide: true },
    held: [paths('/touchstone/a/*')],
    covered: [paths('/touchstone/a/b'), paths('/touchstone/a/b/*')],
    beyond: [paths('/touchstone/*'), paths('/touchstone/ab')],
  },
];

/** Whoever may write roles may give away what he holds, in whatever words he does, and nothing else. */
export async function grantsWhatIsCovered(
  context: RuleContext,
  { name, roles }: { readonly name: string; readonly roles: Collection },
): Promise<void> {
  const { waitUntil, expect } = context;
  const { namespaced } = roles.at;
  const fitting = covers.filter(({ wide }) => !(wide && namespaced));
  await grant(
    context,
    name,
    fitting.flatMap(({ held }) => held),
    namespaced,
  );
  const tried = (rules: Json): Promise<Answer> => roles.post(roles.sample({ rules: [rules] }), { dryRun: 'All' });
  for (const { what, covered, beyond } of fitting) {
    for (const rules of covered)
      await waitUntil(
        `who holds ${what} may grant ${JSON.stringify(rules)}`,
        () => tried(rules),
        ({ status }) => status === 201,
      );
    for (const rules of beyond)
      expect((await tried(rules)).status, `who holds ${what} grants ${JSON.stringify(rules)}`).toBe(403);
  }
}
