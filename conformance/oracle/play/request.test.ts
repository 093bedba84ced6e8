import { expect, it } from 'vitest';
import { type Memory, requestOf } from './request.ts';
import type { Step } from './scenario.ts';

const memory = (answers: Record<string, unknown> = {}): Memory => ({
  ...{ own: 'tabc00001', run: 'r', needed: new Set(), heard: () => [] },
  answers: new Map(Object.entries(answers)),
  bytes: new Map(),
});

const step = (more: Partial<Step>): Step => ({ id: 's1', what: 'some', method: 'PUT', path: '/<own>', ...more });

it('a header with several values stands several times', () => {
  const { options } = requestOf(step({ headers: { one: '<own>', many: ['<own>-a', 'b'] } }), memory());
  expect(options.headers).toEqual({ one: 'tabc00001', many: ['tabc00001-a', 'b'] });
});

it('what was answered is sent again in YAML', () => {
  const body = { answerOf: 's0', merge: { spec: { b: 2, c: null } }, inYaml: true } as const;
  const { options } = requestOf(step({ body }), memory({ s0: { spec: { a: 1, c: 3 } } }));
  expect(options).toMatchObject({ body: 'spec:\n  a: 1\n  b: 2\n', headers: { 'content-type': 'application/yaml' } });
});
