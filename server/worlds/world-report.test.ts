import { expect, it } from 'vitest';
import { differences, worldReport } from './world-report.ts';

it('tells what happened: requests, events, and what became of objects', () => {
  const request = {
    at: 0,
    user: 'ada',
    userAgent: 'kubectl/v1.25.0 (linux)',
    verb: 'get',
    method: 'GET',
    id: 1,
    url: '/api/v1/namespaces/x/pods?limit=1',
    namespace: 'x',
    contentType: '',
    code: 200,
    milliseconds: 1.6,
  };
  const before = { kind: 'ConfigMap', metadata: { name: 'a', resourceVersion: '1' }, data: { n: '1' } };
  const report = worldReport({
    namespace: 'x',
    requests: [request, { ...request, method: 'PUT', code: 0 }],
    events: [{ type: 'Warning', reason: 'Failed', note: 'no image', regarding: { kind: 'Pod', name: 'p' } }],
    seen: [
      { before, now: { ...before, metadata: { name: 'a', resourceVersion: '2' }, data: { n: '2' } } as object },
      { before, now: before },
      { before, now: undefined },
    ],
  });
  expect(report).toBe(`What happened in x:

  The last requests
    200 GET    /api/v1/namespaces/x/pods?limit=1  2 ms  kubectl/v1.25.0
    --- PUT    /api/v1/namespaces/x/pods?limit=1  2 ms  kubectl/v1.25.0

  Events
    Warning Failed  Pod/p: no image

  What became of applied objects
    ConfigMap a:
      data.n: "1" → "2"
    ConfigMap a: as it was
    ConfigMap a: gone
`);
});

it.each([
  [{ a: [1, 2] }, { a: [1, 3, 4] }, ['a.1: 2 → 3', 'a.2: (nothing) → 4']],
  [{ a: {} }, { a: [] }, ['a: {} → []']],
  [{ a: null }, { a: { b: 1 } }, ['a: null → {"b":1}']],
  [{ a: 1 }, { a: 1 }, []],
])('%j and %j differ in %j', (before, now, expected) => {
  expect([...differences(before, now)]).toEqual(expected);
});
