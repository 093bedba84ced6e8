import { readFileSync, writeFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';
import type { Scenario, Step } from './play/scenario.ts';

/** A file of scenarios that cannot be meant. The message is one line for the user. */
export class ScenarioFileError extends Error {}

const heading = `# Scenarios for touchstone compare --play: requests one after another, of which two servers should think the same.
# <own> stands for a word that is new in each play, <run> for the value of the run's label, <ID:field> for a field of what the step ID was answered,
# <hook-WORD:url> and <hook-WORD:caBundle> for a webhook of the player: what it answers stands in an annotation of the object,
# <backend:port>, <backend:host> and <backend:caBundle> for a server of the player behind the judged one: what it answers stands in a header.
`;

/** Writes scenarios so that people can read them and `--play` runs them again. */
export function saveScenarios(file: string, scenarios: readonly Scenario[]): void {
  writeFileSync(file, heading + stringify({ scenarios }, { lineWidth: 120, aliasDuplicateObjects: false }));
}

/** Reads what `saveScenarios` wrote. Throws a ScenarioFileError for anything else. */
export function loadScenarios(file: string): readonly Scenario[] {
  const found = read(file)?.scenarios;
  if (!Array.isArray(found)) throw new ScenarioFileError(`${file} holds no list of scenarios`);
  return found.map((one, at) => checked(one, `${file}: scenario ${at + 1}`));
}

function read(file: string): { scenarios?: unknown } | undefined {
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new ScenarioFileError(`${file}: ${error instanceof Error ? error.message.split('\n')[0] : error}`);
  }
}

const mostHooks = 64;

function checked(found: Partial<Scenario> | null, where: string): Scenario {
  const { name = '', generator = 'saved', namespaces = 2, prepare = [], hooks = [], backend, steps } = found ?? {};
  if (!Array.isArray(steps)) throw new ScenarioFileError(`${where} has no steps`);
  if (!Number.isInteger(namespaces) || namespaces < 0 || namespaces > 9)
    throw new ScenarioFileError(`${where}: ${namespaces} is no number of namespaces from 0 to 9`);
  if (!Array.isArray(hooks) || hooks.length > mostHooks || hooks.some((word) => typeof word !== 'string'))
    throw new ScenarioFileError(`${where}: its hooks are no list of at most ${mostHooks} words`);
  const bad = [...prepare, ...steps].findIndex((step) => !isStep(step));
  if (bad >= 0) throw new ScenarioFileError(`${where}: step ${bad + 1} lacks an id, a method or a path`);
  return {
    name,
    generator,
    namespaces,
    prepare,
    ...(hooks.length > 0 ? { hooks } : {}),
    ...(backend === true ? { backend } : {}),
    steps: steps.map((step) => ({ ...step, what: step.what ?? step.method })),
  };
}

const isStep = (step: Partial<Step> | null): boolean =>
  typeof step?.id === 'string' &&
  typeof step.method === 'string' &&
  typeof step.path === 'string' &&
  step.path.startsWith('/');
