import type { RuleResult } from '../result.ts';
import { coverageOf, type RunReport } from './summary.ts';

export const result = (id: string, parts: Partial<RuleResult> = {}): RuleResult => ({
  id,
  chapter: id.split('.')[0] ?? '',
  level: 'must',
  statement: 'A GET reads.',
  source: 'Conventions, Verbs: get',
  verdict: 'pass',
  warnings: [],
  exchanges: [],
  requests: 2,
  milliseconds: 12,
  ...parts,
});

export const passing = result('verbs.list');

export const failing = result('verbs.get', {
  verdict: 'fail',
  finding: { kind: 'assertion', message: 'expected 404 to be 200\nmore', expected: '200', seen: '404' },
  exchanges: [
    {
      method: 'GET',
      url: 'http://h/x',
      requestHeaders: { authorization: 'Bearer REDACTED' },
      status: 404,
      answerHeaders: {},
      answerBody: 'not <found> & gone\u0001',
      milliseconds: 3,
    },
  ],
});

/** A rule that broke because the object of this name could not be deleted. */
export const broken = (id: string, name: string) =>
  result(id, {
    verdict: 'fail',
    finding: { kind: 'assertion', message: 'expected 500 to be 200' },
    exchanges: [
      {
        method: 'DELETE',
        url: `https://h/api/v1/namespaces/${name}/secrets/${name}`,
        requestHeaders: {},
        status: 500,
        answerHeaders: {},
        answerBody: `{"message":"cannot store \\"${name}\\" </script>"}`,
        milliseconds: 1,
      },
    ],
  });

export const reportOf = (results: readonly RuleResult[], errors: readonly string[] = []): RunReport => ({
  target: 'https://h',
  version: 'v1.25.0',
  profiles: [],
  left: [],
  curlOptions: ['--cacert', '"$CA"'],
  startedAt: '2024-05-06T07:08:09.000Z',
  milliseconds: 1_500,
  results,
  errors,
  coverage: coverageOf(new Set(['verbs.get', 'verbs.list'])),
});
