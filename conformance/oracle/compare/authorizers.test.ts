import { expect, it } from 'vitest';
import { startFakeServer } from '../../fake-server.fixture.ts';
import { openSide } from '../play/open-side.ts';
import { authorizersTold } from './authorizers.ts';

/** Servers that say of rules whether they are all. */
async function toldOf(...all: readonly boolean[]): Promise<readonly string[]> {
  const servers = await Promise.all(
    all.map((incomplete) =>
      startFakeServer((_, response) => {
        response.writeHead(201, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ kind: 'SelfSubjectRulesReview', status: { incomplete } }));
        return true;
      }),
    ),
  );
  const parts = { run: 'r', stopped: new AbortController().signal };
  const sides = servers.map(({ url }) => openSide({ url }, parts));
  const [judged, other] = sides;
  if (!judged || !other) throw new Error('two servers are compared');
  const told = await authorizersTold(judged, other);
  await Promise.all([...sides.map((side) => side.close()), ...servers.map((server) => server.stop())]);
  return [...told];
}

it('leaves out whether rules are told completely where one server has authorizers that cannot tell them', async () => {
  expect(await toldOf(true, false)).toEqual(['status.incomplete', 'status.evaluationError']);
  expect(await toldOf(false, false)).toEqual([]);
  expect(await toldOf(true, true)).toEqual([]);
});
