import type { Json } from '../../verbs/client.ts';
import { mergePatchHeaders } from '../../verbs/patch-types.ts';
import type { OracleKind } from '../oracle-kind.ts';
import { type Random, randomOf } from '../play/random.ts';
import type { Scenario } from '../play/scenario.ts';
import { objectOf, sampleOf } from '../samples/objects.ts';
import { type Trial, trialsOf, valueAt, withValue } from './boundary-values.ts';
import { asRow } from './forms.ts';
import type { Field, KnownKind } from './schema.ts';
import { dryBeside, KindStory, Story } from './story.ts';
import { prepareFor } from './tours/tours.ts';

interface Case {
  readonly field: Field;
  readonly trial: Trial;
}

const perScenario = 24;

/**
 * Every field of every kind with good and bad values, as rehearsals. Each round takes, of each kind, one scenario's
 * worth of fields not tried before, and there is no end to rounds until all is told: outer fields come first.
 */
export function* fieldScenarios(known: readonly KnownKind[], seed: number): Generator<Scenario> {
  const queues = known
    .filter(({ kind, fields }) => fields.length > 0 && kind.verbs.includes('create') && sampleOf(kind) !== undefined)
    .map((one) => ({ ...one, cases: casesOf(one, randomOf(seed, `fields of ${one.kind.kind} ${one.kind.version}`)) }));
  for (let round = 0; queues.some(({ cases }) => cases.length > round * perScenario); round++)
    for (const { kind, cases } of queues) {
      const some = cases.slice(round * perScenario, (round + 1) * perScenario);
      if (some.length > 0) yield scenarioOf(kind, some, round, randomOf(seed, `${kind.kind} ${kind.version} ${round}`));
    }
}

/** Each field with some of its values first, so that no field waits for all values of another. */
function casesOf({ kind, fields }: KnownKind, random: Random): readonly Case[] {
  const object = objectOf(kind, 'b');
  const all = fields.map((field) => ({
    field,
    trials: random.shuffled(trialsOf(field, valueAt(object, field.path))),
  }));
  const cases: Case[] = [];
  for (let at = 0; all.some(({ trials }) => trials.length > at); at += 3)
    for (const { field, trials } of all) cases.push(...trials.slice(at, at + 3).map((trial) => ({ field, trial })));
  return cases;
}

function scenarioOf(kind: OracleKind, cases: readonly Case[], round: number, random: Random): Scenario {
  const at = new KindStory(new Story(), kind);
  const first = at.create(objectOf(kind, 'a'));
  const tries = kind.verbs.includes('update') ? [update, merge, strategic, jsonPatch, apply] : [];
  for (const { field: told, trial } of cases) {
    const field = { ...told, path: random.once(2) ? told.path : told.path.map(second) };
    const json = withValue(objectOf(kind, 'b'), field.path, trial.value);
    at.create(json, random.once(2) ? dryBeside : { ...asRow, alongside: true });
    const chosen = field.path[0] === 'status' ? [...tries.slice(0, 2), status] : tries;
    if (chosen.length > 0) random.pick(chosen)({ at, first, field, trial, json });
  }
  return at.story.scenario(`fields of ${at.label}, ${round + 1}`, 'fields', 2, prepareFor([kind]));
}

/** What is true of the first entry of a list is to be so of the next one. */
const second = (member: string | number): string | number => (member === 0 ? 1 : member);

interface Attempt {
  readonly at: KindStory;
  readonly first: string;
  readonly field: Field;
  readonly trial: Trial;
  /** A new object with the value. */
  readonly json: Json;
}

/** The stored object with the value. A merge patch says so where it can; a list is told as a whole. */
function update(attempt: Attempt): void {
  const { at, first } = attempt;
  at.put('a', { answerOf: first, merge: mergeOf(attempt) }, dryBeside);
}

function mergeOf({ field, trial, json }: Attempt): Json {
  const list = field.path.findIndex((member) => typeof member === 'number');
  const [path, value] =
    list < 0
      ? [field.path, trial.value ?? null]
      : [field.path.slice(0, list), valueAt(json, field.path.slice(0, list)) ?? null];
  return withValue({}, path, value);
}

const merge = (attempt: Attempt): void => void attempt.at.patch('a', 'merge', mergeOf(attempt), dryBeside);

/** A list entry is named by its merge key where the sample has one. */
const strategic = (attempt: Attempt): void => void attempt.at.patch('a', 'strategic', mergeOf(attempt), dryBeside);

function jsonPatch({ at, field, trial }: Attempt): void {
  const path = `/${field.path.map((member) => (member === '*' ? 'key' : String(member))).join('/')}`;
  const change = trial.value === undefined ? { op: 'remove', path } : { op: 'add', path, value: trial.value };
  at.patch('a', 'json', [change], dryBeside);
}

function apply({ at, json }: Attempt): void {
  const { name } = objectOf(at.kind, 'a').metadata;
  at.patch(
    'a',
    'apply',
    { ...json, metadata: { name } },
    { ...dryBeside, query: { dryRun: 'All', fieldManager: 'alice', force: 'true' } },
  );
}

/** A status by its own door. */
function status(attempt: Attempt): void {
  const { at } = attempt;
  if (!at.kind.subresources.some(({ name }) => name === 'status')) return;
  at.patch('a', 'merge', mergeOf(attempt), { ...dryBeside, headers: mergePatchHeaders }, 'status');
}
