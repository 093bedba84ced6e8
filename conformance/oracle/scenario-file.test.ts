import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../fixtures/temporary-folder.fixture.ts';
import type { Scenario } from './play/scenario.ts';
import { loadScenarios, ScenarioFileError, saveScenarios } from './scenario-file.ts';

const folder = temporaryFolder();

const file = (text: string): string => {
  const place = join(folder, 'some.yaml');
  writeFileSync(place, text);
  return place;
};

it('gives back what was saved', () => {
  const scenario: Scenario = {
    name: 'some',
    generator: 'sequences',
    namespaces: 2,
    prepare: [],
    steps: [
      {
        id: 's1',
        what: 'create secrets',
        method: 'POST',
        path: '/api/v1/namespaces/<own>-1/secrets',
        body: { json: { a: 'yes', b: '1' } },
      },
    ],
  };
  const place = join(folder, 'saved.yaml');
  saveScenarios(place, [scenario]);
  expect(loadScenarios(place)).toEqual([scenario]);
});

it.each([
  ['no list', 'a: b', /holds no list of scenarios/],
  ['no steps', 'scenarios: [{}]', /scenario 1 has no steps/],
  ['a step without a path', 'scenarios: [{steps: [{id: a, method: GET}]}]', /step 1 lacks/],
  ['a path that is none', 'scenarios: [{steps: [{id: a, method: GET, path: api}]}]', /step 1 lacks/],
  ['too many namespaces', 'scenarios: [{namespaces: 1000, steps: []}]', /1000 is no number of namespaces/],
  ['hooks that are no words', 'scenarios: [{hooks: [1], steps: []}]', /hooks are no list/],
  ['no YAML', 'a: [', /some.yaml/],
])('refuses a file with %s', (_, text, message) => {
  expect(() => loadScenarios(file(text))).toThrow(ScenarioFileError);
  expect(() => loadScenarios(file(text))).toThrow(message);
});
