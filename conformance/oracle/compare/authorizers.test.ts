import { expect, it } from 'vitest';
import { startFakeServer } from '../../fake-server.fixture.ts';
import { openSide } from '../play/open-side.ts';
import type { Side } from '../play/side.ts';
import { authorizersLike, authorizersTold } from './authorizers.ts';

/** Servers that say of rules whether they are all. */
async function among<T>(all: readonly boolean[], ask: (judged: Side, other: Side) => Promise<T>): Promise<T> {
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
  const told = await ask(judged, other);
  await Promise.all([...sides.map((side) => side.close()), ...servers.map((server) => server.stop())]);
  return told;
}

const toldOf = async (...all: readonly boolean[]) => [...(await among(all, authorizersTold))];

it('leaves out whether rules are told completely where one server has authorizers that cannot tell them', async () => {
  expect(await toldOf(true, false)).toEqual(['status.incomplete', 'status.evaluationError']);
  expect(await toldOf(false, false)).toEqual([]);
  expect(await toldOf(true, true)).toEqual([]);
});

it('compares a server that has such authorizers with one that has the one of nodes', async () => {
  expect(await among([true, false], authorizersLike)).toEqual(['--authorization-mode=Node,RBAC']);
  expect(await among([false, true], authorizersLike)).toEqual([]);
});
