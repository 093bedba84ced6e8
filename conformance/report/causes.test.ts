import { expect, test } from 'vitest';
import type { Exchange } from '../verbs/exchange.ts';
import { causesOf } from './causes.ts';
import { failuresText } from './console.ts';
import { broken, failing, passing, result } from './report.fixture.ts';

test('rules that are broken by one fault are one finding', () => {
  expect(
    causesOf([broken('verbs.delete', 'one'), broken('deletion.removal', 'two'), failing, passing]).map(
      ({ what, results }) => `${results.length} ${what}`,
    ),
  ).toEqual([
    '2 DELETE /api/v1/namespaces/{namespace}/secrets/{name}: 500 cannot store "…" </script>',
    '1 verbs.get: expected 404 to be 200',
  ]);
});

test('a request that was given up at the end of its rule is no cause', () => {
  const late = broken('csr.use.node-agent', 'three');
  const [exchange] = late.exchanges;
  const cut = { ...late, exchanges: [{ ...exchange, status: 0, failure: 'given up', isCut: true } as Exchange] };
  expect(causesOf([cut]).map(({ what }) => what)).toEqual(['csr.use.node-agent: expected 500 to be 200']);
});

test('what a general rule breaks by is what its cells say, not how many of them', () => {
  const inCells = (id: string, kind: 'assertion' | 'preparation', message: string) => {
    const crashed = { cell: 'pods', kind: 'crash', message: 'oops' } as const;
    const cells = [crashed, { cell: 'secrets', kind, message }];
    return result(id, {
      verdict: 'fail',
      finding: { kind, message: `2 of 8 cells:\n  pods: oops\n  secrets: ${message}`, cells },
    });
  };
  const results = [
    inCells('dryrun.delete', 'preparation', 'could not create the Secret a-1: 500'),
    inCells('meta.uid', 'preparation', 'could not apply to the Secret a-1: 404'),
    inCells('verbs.get', 'assertion', 'expected 404 to be 200'),
  ];
  expect(failuresText(results).split('\n')).toEqual([
    'FAIL dryrun.delete: could not create the Secret …: 500',
    'FAIL meta.uid: could not apply to the Secret …: 404',
    'FAIL verbs.get: 2 of 8 cells: secrets: expected 404 to be 200',
  ]);
});

const afterGet = (id: string, query: string) =>
  result(id, {
    verdict: 'fail',
    finding: { kind: 'assertion', message: `expected ${id} to be kept` },
    exchanges: [
      {
        method: 'GET',
        url: `https://h/api/v1/secrets?${query}`,
        requestHeaders: {},
        status: 200,
        answerHeaders: {},
        answerBody: '{}',
        milliseconds: 1,
      },
    ],
  });

test.each([
  [
    'three rules fail after requests of one shape',
    ['limit=1&labelSelector=a', 'limit=2&labelSelector=a', 'labelSelector=b&limit=3'],
    [3],
  ],
  ['the shape says something', ['labelSelector=a', 'labelSelector=b', 'labelSelector=c', ''], [1, 1, 1, 1]],
  ['there are enough', ['dryRun=All', 'dryRun=All', 'limit=1'], [1, 1, 1]],
  ['they are alike', ['limit=1', 'limit=2', 'limit=3', 'watch=1'], [3, 1]],
])('failures of rules are one finding only if %s', (_, queries, sizes) => {
  const results = queries.map((query, at) => afterGet(`lists.rule-${at}`, query));
  expect(causesOf(results).map((cause) => cause.results.length)).toEqual(sizes.toSorted((a, b) => b - a));
});

test('rules that wait in vain for the same are one finding, however long and for what content', () => {
  const waiting = [3_214, 3_300, 3_007].map((waited, at) =>
    result(`client.watch.rule-${at}`, {
      verdict: 'fail',
      finding: {
        kind: 'assertion',
        message: `waited ${waited} ms until the client shows what is there: {"kept-${at}":{}}; last seen: {}`,
      },
    }),
  );
  expect(causesOf(waiting).map(({ what, results }) => `${results.length} ${what}`)).toEqual([
    '3 waited in vain until the client shows what is there',
  ]);
});

test('rules that wait in vain for types of their own are one finding, whatever these are called', () => {
  const waiting = ['t4b28qlbs00501s', 't28zq7lbs00003s', 't28zq7lbs00492s'].map((name, at) =>
    result(`apply.rule-${at}`, {
      verdict: 'fail',
      finding: {
        kind: 'assertion',
        message: `waited ${at}7275 ms until the custom type ${name}.touchstone.example is served; last seen: 404`,
      },
    }),
  );
  expect(causesOf(waiting).map(({ what, results }) => `${results.length} ${what}`)).toEqual([
    '3 waited in vain until the custom type ….touchstone.example is served',
  ]);
});

test('watches of different kinds that nobody answers are one finding, beside another request without an answer', () => {
  const silent = [
    '/api/v1/secrets?watch=1',
    '/api/v1/services?watch=1',
    '/apis/apps/v1/deployments?watch=1',
    '/api/v1/pods',
  ];
  const waiting = silent.map((path, at) => {
    const failure = `no answer within ${5_250 + at} ms`;
    const { exchanges } = broken(`watch.rule-${at}`, 'one');
    return result(`watch.rule-${at}`, {
      verdict: 'fail',
      finding: { kind: 'timeout', message: `GET http://h${path}: ${failure}` },
      exchanges: exchanges.map((exchange) => ({
        ...exchange,
        method: 'GET',
        url: `http://h${path}`,
        status: 0,
        failure,
      })),
    });
  });
  expect(causesOf(waiting).map(({ what, results }) => `${results.length} ${what}`)).toEqual([
    '3 a watch is not answered in time',
    '1 GET /api/v1/pods: no answer within 5253 ms',
  ]);
});

test('what the suite itself answered to a client is no cause, and counts that differ are alike', () => {
  const hammering = [910, 1_020, 64].map((requests, at) => {
    const { exchanges, ...rest } = broken(`client.load.rule-${at}`, 'one');
    const message = `requests in 6 s: expected ${requests} to be less than or equal to 60`;
    const finding = { kind: 'assertion', message } as const;
    return { ...rest, finding, exchanges: exchanges.map((exchange) => ({ ...exchange, isAsked: true as const })) };
  });
  expect(causesOf(hammering).map(({ what }) => what)).toEqual([
    'requests in … s: expected … to be less than or equal to …',
  ]);
});
