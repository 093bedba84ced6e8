import type { Write } from '../checks/requests/writes.ts';
import { reviewedKinds, reviewedWrites } from '../checks/webhooks/reviewed-writes.ts';
import { defineRule } from '../rule.ts';
import { spoilReview, uncalled } from '../sabotage/webhooks.ts';
import type { Json } from '../verbs/json.ts';
import { said } from '../verbs/said.ts';
import { nameOf } from '../verbs/states.ts';

const operations: Readonly<Record<Write['verb'], string>> = {
  create: 'CREATE',
  update: 'UPDATE',
  patch: 'UPDATE',
  delete: 'DELETE',
  deletecollection: 'DELETE',
};

/** An object that is there, or null. */
const presence = (object: Json): string => ((object ?? null) === null ? 'null' : 'an object');

/** Where the objects are that a webhook is shown; those that only ask something need not say it. */
const placesOf = ({ object, oldObject }: Json, { verb, sub }: Write): readonly Json[] =>
  [object, oldObject]
    .filter((shown) => shown && (verb !== 'create' || sub === ''))
    .map(({ metadata }) => metadata?.namespace);

/** What webhooks are told of every write. */
export const reviewRules = [
  // `operation` is one of `CREATE`, `UPDATE`, `DELETE` and `CONNECT`.
  defineRule('webhook.request.operation', {
    needs: ['webhooks'],
    matrix: { kind: reviewedKinds, type: ['validating', 'mutating'] },
    sabotage: [
      spoilReview('request.operation', 'CREATE'),
      spoilReview('request.object', {}),
      spoilReview('request.oldObject', null),
      spoilReview('request.namespace', 'other'),
      uncalled,
    ],
    async check(context, { kind, type }) {
      const { objects, expect } = context;
      const place = await objects.place();
      const { group, version, resource } = objects.at;
      for (const { write, object, done, answer } of await reviewedWrites(context, kind, type)) {
        expect(answer.status, `${write.name}: ${said(answer)}`).toBeLessThan(300);
        const [request] = done;
        const operation = operations[write.verb];
        expect(request?.operation, write.name).toBe(operation);
        expect(request.resource, write.name).toEqual({ group, version, resource });
        expect(request.namespace, `${write.name}, namespace`).toBe(place);
        for (const shown of placesOf(request, write)) expect(shown, `${write.name}, of the object`).toBe(place);
        if (operation !== 'CREATE' && write.verb !== 'deletecollection')
          expect(request.name, `${write.name}, name`).toBe(nameOf(object));
        expect([presence(request.object), presence(request.oldObject)], `${write.name}, object and oldObject`).toEqual([
          operation === 'DELETE' ? 'null' : 'an object',
          operation === 'CREATE' ? 'null' : 'an object',
        ]);
        if (operation === 'UPDATE') {
          expect(request.oldObject.metadata.uid, `${write.name}, oldObject`).toBe(object.metadata.uid);
          expect(request.object, `${write.name}, object and oldObject`).not.toEqual(request.oldObject);
        }
      }
    },
  }),

  // `dryRun` tells whether nothing will be stored.
  defineRule('webhook.request.dry-run', {
    needs: ['webhooks'],
    matrix: { kind: reviewedKinds },
    sabotage: [
      spoilReview('request.dryRun', true),
      spoilReview('request.dryRun', false),
      spoilReview('request.options.dryRun', ['All']),
    ],
    async check(context, { kind }) {
      const { expect } = context;
      for (const { write, tried, done } of await reviewedWrites(context, kind, 'mutating')) {
        expect(tried.length, `calls for a dry run of ${write.name}`).toBeGreaterThan(0);
        for (const { dryRun, options } of tried) {
          expect(dryRun, `a dry run of ${write.name}`).toBe(true);
          expect(options?.dryRun, `options of a dry run of ${write.name}`).toEqual(['All']);
        }
        expect(done.length, `calls for ${write.name}`).toBeGreaterThan(0);
        for (const { dryRun, options } of done) {
          expect(dryRun ?? false, write.name).toBe(false);
          expect(options?.dryRun ?? [], `options of ${write.name}`).toEqual([]);
        }
      }
    },
  }),
];
