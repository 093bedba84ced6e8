import { Document, type Scalar, stringify } from 'yaml';
import { appliesServices } from '../../checks/apply/applied-services.ts';
import { byApply, makesTheSame } from '../../checks/requests/creations.ts';
import { appliedStatus } from '../../checks/requests/writes.ts';
import { defineRule } from '../../rule.ts';
import { answerStatus, removeIn, replaceIn, requestHeader } from '../../sabotage/transforms.ts';
import type { Json } from '../../verbs/json.ts';
import { apiVersionOf } from '../../verbs/kinds.ts';
import { merged } from '../../verbs/merged.ts';
import { said } from '../../verbs/said.ts';
import { nameOf, ownConditions } from '../../verbs/states.ts';
import { changeOf, generalKinds } from '../../verbs/subjects.ts';

/** Texts in YAML that nobody takes for anything else. */
const quoted = { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' } as const;
/** Texts that without their quotes would be something else. */
const lookalikes = {
  metadata: {
    annotations: {
      ...{ a: '123', b: '0.5', c: 'true', d: 'yes', e: 'null', f: '2024-05-06' },
      ...{ line: 'one: two\n', lines: 'one\n\n  two # three\nfour', same: 'one: two\n' },
    },
  },
};

/** Texts in lines of their own, and one said once for two places. */
function inBlocks(body: Json): string {
  const document = new Document(body);
  const line = document.getIn(['metadata', 'annotations', 'line'], true) as Scalar | undefined;
  if (line) document.setIn(['metadata', 'annotations', 'same'], document.createAlias(line, 'line'));
  return document.toString({ defaultStringType: 'BLOCK_LITERAL', defaultKeyType: 'PLAIN' });
}

/** How a body can be written. */
const forms = {
  YAML: (body: Json) => stringify(body, quoted),
  'YAML in one line': (body: Json) => stringify(body, { ...quoted, collectionStyle: 'flow', lineWidth: 0 }).trimEnd(),
  'YAML as files have it': (body: Json) => `---\n# applied\n${inBlocks(body)}`,
  JSON: (body: Json) => JSON.stringify(body),
};

export default [
  // The media type `application/apply-patch+yaml` turns a PATCH into a server-side apply.
  defineRule('verbs.apply.content-type', {
    matrix: { kind: generalKinds },
    sabotage: [
      requestHeader('content-type', 'application/merge-patch+json', { method: 'PATCH' }),
      removeIn('metadata.generation', { method: 'PATCH', path: /\/jobs\// }),
      answerStatus(415, { method: 'PATCH', path: /\/apiservices\// }),
      removeIn('metadata.managedFields.0.fieldsV1', { method: 'PATCH', path: /\/apiservices\// }),
    ],
    async check(context, { kind }) {
      const { objects, expect } = context;
      const body = await objects.draft();
      const answer = await objects.tryApply(nameOf(body), body, 'applier');
      expect(answer.status, `apply of a missing object: ${said(answer)}`).toBe(201);
      const entry = answer.body.metadata.managedFields?.[0];
      expect(entry).toMatchObject({ manager: 'applier', operation: 'Apply', apiVersion: apiVersionOf(objects.at) });
      expect((await objects.read(nameOf(body))).metadata.uid, 'what is stored').toBe(answer.body.metadata.uid);
      await makesTheSame({ objects, expect }, kind, byApply);
      if (kind.name === 'secrets') await appliesServices(context);
    },
  }),

  // What is applied can be written in YAML or in JSON.
  defineRule('verbs.apply.body', {
    matrix: { kind: generalKinds, form: Object.keys(forms) as (keyof typeof forms)[] },
    sabotage: [
      answerStatus(400, { method: 'PATCH', body: /^apiVersion:/ }),
      removeIn('data', { method: 'PATCH', body: /^apiVersion:/ }),
      answerStatus(400, { method: 'PATCH', path: /\/status$/, body: /^apiVersion:/ }),
      answerStatus(400, { method: 'PATCH', body: /^\{ *apiVersion:/ }),
      answerStatus(400, { method: 'PATCH', body: /^---/ }),
      replaceIn('metadata.annotations.same', { method: 'PATCH', body: /^---/, with: '*line' }),
      replaceIn('metadata.annotations.d', { method: 'PATCH', body: /^apiVersion:/, with: 'true' }),
      replaceIn('value', { method: 'PATCH', path: /\/priorityclasses\//, with: 7 }),
    ],
    async check({ objects, expect }, { kind, form }) {
      const write = forms[form];
      const parts = merged(merged(kind.edges, changeOf(kind, 1)), lookalikes);
      const { apiVersion, kind: type, ...rest } = await objects.draft(parts);
      const { name } = rest.metadata;
      const query = { fieldManager: 'applier' };
      const answer = await objects.patch(name, write({ apiVersion, kind: type, ...rest }), { type: 'apply', query });
      expect(answer.status, said(answer)).toBe(201);
      expect(answer.body).toMatchObject(parts);
      const untold = await objects.patch(name, write({ apiVersion, ...rest }), { type: 'apply', query });
      expect(untold.status, 'without a kind').toBeGreaterThanOrEqual(400);
      if (kind.busy || !kind.status || !appliedStatus.fits(kind)) return;
      const status = write({ apiVersion, kind: type, metadata: { name }, ...kind.status(1) });
      const applied = await objects.patch(name, status, { type: 'apply', sub: 'status', query });
      expect(applied.status, `a status: ${said(applied)}`).toBe(200);
      expect(ownConditions(applied.body), 'a status').toMatchObject(kind.status(1));
    },
  }),
];
