import { expect, it } from 'vitest';
import { type Memory, requestOf } from './request.ts';
import type { Step } from './scenario.ts';

const memory = (answers: Record<string, unknown> = {}): Memory => ({
  ...{ own: 'tabc00001', run: 'r', needed: new Set(), heard: () => [] },
  answers: new Map(Object.entries(answers)),
  bytes: new Map(),
  sent: new Map(),
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

it('what another step sent goes again without the entries that it was refused for', () => {
  const causes = [{ field: 'spec.list[1].inner[0].name' }, { field: 'spec.list[0]' }, { field: 'spec.other' }];
  const known = { ...memory({ s0: { code: 422, details: { causes } } }), needed: new Set(['s0', 's1']) };
  requestOf(step({ id: 's0', body: { json: { spec: { list: [{ a: 1 }, {}, { a: '<own>' }], other: 5 } } } }), known);
  const { options } = requestOf(step({ body: { passedOf: 's0', merge: { spec: { other: null } } } }), known);
  expect(options.body).toBe('{"spec":{"list":[{"a":"tabc00001"}]}}');
  expect(known.sent.get('s1')).toEqual({ spec: { list: [{ a: 'tabc00001' }] } });
});
