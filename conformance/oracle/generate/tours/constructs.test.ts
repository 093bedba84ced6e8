import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Reference, startReference } from '../../../target/reference.ts';
import type { Json } from '../../../verbs/client.ts';
import { openSide } from '../../play/open-side.ts';
import { fill } from '../../play/scenario.ts';
import { constructScenarios } from './constructs.ts';

let reference: Reference;
beforeAll(async () => {
  reference = await startReference();
});
afterAll(() => reference.stop());

// A type that is refused takes all that is tried on it along, and nothing differs.
it('defines types that a server takes', async () => {
  const side = openSide(reference.target, { run: 'r', stopped: new AbortController().signal });
  const refused: Json[] = [];
  for (const { name, steps } of constructScenarios) {
    const { path, body } = steps[0] ?? { path: '' };
    const text = fill(
      JSON.stringify(body && 'json' in body ? body.json : {}),
      { own: 'tabc00001', run: 'r' },
      new Map(),
    );
    const headers = { 'content-type': 'application/json' };
    const answer = await side.client.send('POST', path, { body: text, headers, query: { dryRun: 'All' } });
    if (answer.status !== 201) refused.push([name, answer.body?.details?.causes]);
  }
  await side.close();
  expect(refused).toEqual([]);
});
