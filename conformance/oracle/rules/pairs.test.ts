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
