import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { deleteSteps } from './steps/delete-steps.ts';
import { steps } from './steps/steps.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/** The first cells of the tables that have steps in them, from top to bottom. */
const described = [...readme.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);

it('the README shows the steps of writes and deletes in their true order', () => {
  expect(described).toEqual([...steps, ...deleteSteps].map(({ name }) => name));
});
