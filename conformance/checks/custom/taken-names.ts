import type { RuleContext } from '../../verbs/context.ts';
import { customType } from '../../verbs/custom-types.ts';
import type { Json } from '../../verbs/json.ts';
import type { KindPath } from '../../verbs/kinds.ts';
import { holds, nameOf } from '../../verbs/states.ts';
import { untilStatus } from '../../verbs/until-status.ts';
import { pass } from '../pods/job-runs.ts';

/** The names by which a type is found, beside its plural. */
const takings = ['singular', 'shortNames', 'listKind'] as const;

/** A type that has a name which another has already. */
interface Waiting {
  readonly what: string;
  readonly definition: string;
  readonly at: KindPath;
}

const wordOf = ({ unique }: RuleContext, letter: string): string => unique(letter).replace(/[^a-z0-9]/g, '');

/** A type that has a short name as well. */
async function withShortName(context: RuleContext): Promise<{ readonly at: KindPath; readonly spec: Json }> {
  const { definitions, waitUntil, longPatience } = context;
  const { at } = await customType(context, {});
  const definition = `${at.resource}.${at.group}`;
  const short = wordOf(context, 's');
  await definitions.merge(definition, { spec: { names: { shortNames: [short] } } });
  const isKnown = ({ status }: Json): boolean => status.acceptedNames.shortNames?.includes(short) === true;
  const { spec } = await waitUntil('its short name is accepted', () => definitions.read(definition), isKnown, {
    limit: longPatience,
  });
  return { at, spec };
}

/** One for each name of the first type, of which it has that alone. */
async function takesNames(context: RuleContext, first: KindPath, { names, ...spec }: Json): Promise<Waiting[]> {
  const { definitions, later } = context;
  const waiting: Waiting[] = [];
  for (const what of takings) {
    const singular = wordOf(context, 't');
    const [plural, kind] = [`${singular}s`, `T${singular.slice(1)}`];
    const own = { plural, singular, kind, listKind: `${kind}List`, [what]: names[what] };
    const body = { metadata: { name: `${plural}.${first.group}` }, spec: { ...spec, names: own } };
    const definition = nameOf(await definitions.create(body));
    later(() => definitions.delete(definition));
    waiting.push({ what, definition, at: { ...first, resource: plural, kind } });
  }
  return waiting;
}

/** A type is not served as long as another of its group has one of its names, and is once that one is gone. */
export async function waitsForNames(context: RuleContext): Promise<void> {
  const { definitions, kind, longPatience, waitUntil, expect } = context;
  const { at, spec } = await withShortName(context);
  const waiting = await takesNames(context, at, spec);
  const isRefused = ({ status }: Json): boolean =>
    status?.conditions?.some((one: Json) => one.type === 'NamesAccepted' && one.status === 'False') === true;
  const refusedAt = new Map<string, Json>();
  for (const { what, definition, at: place } of waiting) {
    const look = () => definitions.read(definition);
    const seen = await waitUntil(`${what} is refused`, look, isRefused, { limit: longPatience });
    refusedAt.set(definition, timeOf(seen));
    expect(holds('Established')(seen), `a type is established with the ${what} of another`).toBe(false);
    expect((await kind(place).getAll()).status, `a type is served with the ${what} of another`).toBe(404);
  }
  // Times are told to the second, and by another server's clock may come a second early.
  await pass(2_100);
  expect((await definitions.delete(`${at.resource}.${at.group}`)).status, 'the first of them goes').toBe(200);
  for (const { what, definition, at: place } of waiting) {
    await untilStatus(context, `${what} is free, and the type served`, 200, () => kind(place).getAll());
    await goesByNames(context, definition, place);
    await tellsSinceWhen(context, definition, refusedAt.get(definition));
  }
}

const timeOf = ({ status }: Json): Json =>
  status?.conditions?.find(({ type }: Json) => type === 'NamesAccepted')?.lastTransitionTime;

/** That its names are accepted now is a change, and has its time. */
async function tellsSinceWhen(context: RuleContext, definition: string, before: Json): Promise<void> {
  const { definitions, longPatience, waitUntil, expect } = context;
  const look = () => definitions.read(definition);
  const seen = await waitUntil('the names are accepted', look, holds('NamesAccepted'), { limit: longPatience });
  // Servers behind one address may differ in what time it is.
  expect(timeOf(seen), 'since when the names are accepted').not.toBe(before);
  expect(timeOf(seen), 'since when the names are accepted').toBeTypeOf('string');
}

/** Lists and discovery call a type as its definition does, whatever others would make of its kind. */
async function goesByNames(context: RuleContext, definition: string, at: KindPath): Promise<void> {
  const { definitions, kind, longPatience, send, waitUntil, expect } = context;
  const { names } = (await definitions.read(definition)).spec;
  const discovered = async (): Promise<Json> => {
    const { body } = await send('GET', `/apis/${at.group}/${at.version}`);
    return body?.resources?.find((one: Json) => one.name === names.plural)?.singularName;
  };
  await waitUntil('discovery has the singular', discovered, (singular) => singular === names.singular, {
    limit: longPatience,
  });
  expect((await kind(at).getAll()).body.kind, 'a list of a type').toBe(names.listKind);
}
