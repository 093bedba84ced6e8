import { expect, it } from 'vitest';
import type { Heard } from './heard.ts';
import { pairsOf } from './pairs.ts';

const object = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things';

const heard = (method: string, path = object, body = ''): Heard => ({
  ...{ method, path, query: '', headers: {}, body: Buffer.from(body), isWatch: false },
  ...{ at: 1, status: 200, answerHeaders: {}, warnings: [], chunks: [] },
});

const methods = (pairs: ReturnType<typeof pairsOf>): string[] => pairs.map(([{ method, path }]) => `${method} ${path}`);

it('what was done to an object that only one play has changed is not compared from there on', () => {
  const [waited, gaveUp] = [
    [heard('POST', '/things'), heard('GET'), heard('PATCH', object, '{}'), heard('DELETE'), heard('DELETE', '/other')],
    [heard('POST', '/things'), heard('GET'), heard('DELETE'), heard('DELETE', '/other')],
  ];
  const compared = ['POST /things', `GET ${object}`, 'DELETE /other'];
  expect(methods(pairsOf(waited, gaveUp))).toEqual(compared);
  expect(methods(pairsOf(gaveUp, waited))).toEqual(compared);
});

it('what both have changed is compared to its end', () => {
  const play = [heard('PATCH', object, '{}'), heard('DELETE')];
  expect(methods(pairsOf(play, [...play]))).toEqual([`PATCH ${object}`, `DELETE ${object}`]);
});

it('what was asked in turn until all of it was as it should be is compared by its last answers', () => {
  const [one, other] = ['/roles', '/leases'];
  const may = (path: string, status: number): Heard => ({ ...heard('GET', path), status });
  // The one play waited for one of the two, the other for the other: each has asked as often.
  const judged = [heard('PUT'), may(one, 403), may(other, 200), may(one, 200), may(other, 200)];
  const beside = [heard('PUT'), may(one, 200), may(other, 403), may(one, 200), may(other, 200)];
  const again = [heard('PATCH', object, '{}'), may(one, 403)];
  const pairs = pairsOf([...judged, ...again], [...beside, ...again]);
  expect(pairs.map(([seen, expected]) => [seen.path, seen.status, expected.status])).toEqual([
    [object, 200, 200],
    [one, 200, 200],
    [other, 200, 200],
    [object, 200, 200],
    [one, 403, 403],
  ]);
});
