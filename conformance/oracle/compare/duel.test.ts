import { expect, it } from 'vitest';
import type { Played } from '../play/play.ts';
import { differencesOf } from './differ.ts';
import { alikeOf, divergencesOf, lagBetween, signatureOf } from './duel.ts';
import type { Normal } from './normal.ts';

/** A play whose steps were answered so many seconds after it began. */
const played = (begun: number, ...seconds: readonly number[]): Played => ({
  own: 'tabc00001',
  begun,
  sent: [],
  observations: seconds.map((after) => ({
    step: { id: 's', what: 'get', method: 'GET', path: '/' },
    at: begun + after * 1000,
    ...{ status: 200, headers: {}, warnings: [], bytes: Buffer.alloc(0) },
  })),
});

it('knows how far one play was behind the other, even if it caught up', () => {
  expect(lagBetween(played(0, 1, 2, 3), played(500_000, 1, 2, 3))).toBe(0);
  expect(lagBetween(played(0, 1, 40, 60), played(500_000, 1, 2, 60))).toBe(38);
});

/** What a difference between two answers to one request is called, by itself or with those of other kinds. */
function called(
  what: string,
  seen: Partial<Normal>,
  expected: Partial<Normal>,
  nameOf = signatureOf,
  path = '/',
): string {
  const [one, other] = [seen, expected].map((normal): Normal => ({ status: 200, headers: {}, body: {}, ...normal }));
  const answers = { seen: one as Normal, expected: other as Normal };
  const step = { id: 's', what, method: 'GET', path };
  return nameOf({ step, ...answers, differences: differencesOf(answers.seen, answers.expected) });
}

it('counts null in the place of nothing as one difference wherever it shows, after all others', () => {
  const nothing = { body: { spec: { other: 1 } } };
  expect(called('get pods', { body: { spec: { time: null, other: 1 } } }, nothing)).toBe('null or nothing: spec.time');
  expect(called('get jobs', { body: { spec: { time: null, other: 2 } } }, nothing)).toBe('get jobs: spec.other');
});

it('counts a header that goes with any answer as one difference', () => {
  const vary = (value: string) => ({ headers: { vary: value } });
  expect(called('get pods', vary('Origin'), {})).toBe('header vary: Origin for undefined');
  expect(called('get pods', vary('Origin'), {})).toBe(called('list jobs', vary('Origin'), {}));
  expect(called('get pods', { headers: { allow: 'GET' } }, {})).toBe('get pods: header allow');
});

it('takes for alike what is missing of kind after kind, and what documents of one group after another say', () => {
  const missing = (resource: string, group: string) =>
    called(
      `update ${resource}.v1.${group}`,
      { body: {} },
      { body: { details: { group } } },
      alikeOf,
      `/apis/${group}/v1/${resource}`,
    );
  expect(missing('deployments', 'apps')).toBe(missing('jobs', 'batch'));
  const told = (group: string, resource: string) => {
    const body = (parameters: readonly string[]) => ({
      paths: { [`/apis/${group}/v1/${resource}`]: { delete: { parameters } } },
    });
    return called(`get /openapi/v3/apis/${group}/v1`, { body: body(['body', resource]) }, { body: body([]) }, alikeOf);
  };
  expect(told('apps', 'daemonsets')).toBe(told('events.k8s.io', 'events'));
  expect(told('apps', 'daemonsets')).toContain('parameters');
  const status = (seen: number) => called('get jobs.v1.batch', { status: seen }, {}, alikeOf, '/apis/batch/v1/jobs');
  expect(status(404)).not.toBe(status(403));
});

it('passes over what streams tell of a write that went differently', () => {
  const answered = (text: string): Played => ({
    ...played(0),
    observations: [
      { id: 's1', what: 'watch', method: 'GET', path: '/<own>', watch: {} },
      { id: 's2', what: 'create', method: 'POST', path: '/<own>' },
    ].map((step) => ({
      ...{ step, at: 0, status: 200, headers: { 'content-type': 'application/json' }, warnings: [] },
      bytes: Buffer.from(`{"type":"ADDED","object":{"metadata":{"name":"tabc00001"},"said":"${text}"}}\n`),
    })),
  });
  const found = divergencesOf(answered('one'), answered('two'), undefined, () => true);
  expect(found.map(({ step }) => step.what)).toEqual(['create']);
});
