import { expect, test } from 'vitest';
import type { RuleContext } from '../../verbs/context.ts';
import { subjects } from '../../verbs/subjects.ts';
import { allWrites, type Write } from '../requests/writes.ts';
import { otherWriteForms } from './selecting-forms.ts';

test.each([
  ['merge status', 'v1.23.9', 'PartialObjectMetadata yaml'],
  ['merge status', 'v1.24.0', 'Table PartialObjectMetadata yaml'],
  ['merge status', 'unknown', 'Table PartialObjectMetadata yaml'],
  ['merge patch', 'v1.20.1', 'Table PartialObjectMetadata yaml'],
  ['deletecollection', 'v1.25.0', 'Table yaml'],
])('a %s is answered by %s as %s', (name, version, forms) => {
  const write = allWrites.find((one) => one.name === name) as Write;
  const context = { version, capabilities: [] as string[] } as unknown as RuleContext;
  const asked = otherWriteForms(context, subjects.ingresses, write);
  expect(asked.map((form) => /(?<=as=)\w+|yaml/.exec(form)?.[0]).join(' ')).toBe(forms);
});
