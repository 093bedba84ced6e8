import type { Json } from '../../verbs/json.ts';
import type { Observation } from '../play/observation.ts';
import type { Scenario, Step } from '../play/scenario.ts';
import { differencesOf } from './differ.ts';
import { normalsOf } from './normal.ts';

/** A request, as far as it matters. */
export const step = (id: string, path = '/api/v1/namespaces/<own>-1/secrets', more: Partial<Step> = {}): Step => ({
  id,
  what: 'get secrets',
  method: 'GET',
  path,
  ...more,
});

const begun = Date.parse('2024-05-06T07:08:09Z');

/** What came back for it: its body as JSON, or as the text that it is. */
export const seen = (one: Step, body: Json, more: Partial<Observation> = {}): Observation => ({
  step: one,
  at: begun,
  status: 200,
  headers: { 'content-type': 'application/json' },
  warnings: [],
  bytes: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  ...more,
});

const scenarioOf = (steps: readonly Step[]): Scenario => ({ name: 'some', generator: 'test', namespaces: 1, steps });

/** What differs between two answers to the same steps, given as they came. */
export function differs(
  one: readonly Observation[],
  other: readonly Observation[],
  owns = ['tabc00001', 'tabc00001'],
): string[] {
  const scenario = scenarioOf(one.map((observation) => observation.step));
  const [left = [], right = []] = [one, other].map((observations, at) =>
    normalsOf({ own: owns[at] as string, begun, sent: [JSON.stringify(scenario.steps)], observations }),
  );
  return left.flatMap((normal, at) => differencesOf(normal, right[at] as never).map((difference) => difference.at));
}

export const uidOf = (digit: string): string => `${digit.repeat(8)}-1111-4111-8111-111111111111`;

export const object = (uid: string, version: string, more: Json = {}): Json => ({
  kind: 'Secret',
  metadata: { name: 'a', uid, resourceVersion: version, creationTimestamp: '2024-05-06T07:08:10Z' },
  ...more,
});
