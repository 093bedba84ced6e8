import { forgottenVersion } from '../../checks/lists/history.ts';
import { inTime } from '../../checks/lists/moved-time.ts';
import { metadataAlone, table } from '../../checks/lists/selecting-forms.ts';
import { defineRule } from '../../rule.ts';
import { changeEvent, editEvent, ignoreQuery } from '../../sabotage/transforms.ts';
import type { RuleContext } from '../../verbs/context.ts';
import { merged } from '../../verbs/merged.ts';
import { eventsOf, protobufType } from '../../verbs/protobuf.ts';
import { marking } from '../../verbs/subjects.ts';

const watches = { method: 'GET', query: { watch: true } };
const goes = changeEvent(
  'sends an old event instead of 410',
  () => [{ type: 'ADDED', object: { metadata: {} } }],
  watches,
);

/** Of whatever form the objects are: that their history is gone is told by a Status. */
async function isToldByStatus({ secrets, expect }: RuleContext, resourceVersion: string): Promise<void> {
  for (const accept of [table, metadataAlone]) {
    const watch = await secrets.watch({ resourceVersion }, { accept });
    const event = await watch.next(`the refusal of a version that is no longer held, as ${accept}`);
    const status = { kind: 'Status', status: 'Failure', code: 410 };
    expect(event, `as ${accept}`).toMatchObject({ type: 'ERROR', object: status });
  }
}

export default [
  // Old changes are remembered for a limited time.
  defineRule('watch.history.limited', {
    needs: ['short-history'],
    sabotage: goes,
    async check(context) {
      const watch = await context.secrets.watch({ resourceVersion: await forgottenVersion(context) });
      if (watch.status === 410) return;
      const event = await watch.next('the refusal of a version that is no longer held');
      context.expect(event).toMatchObject({ type: 'ERROR', object: { kind: 'Status', code: 410 } });
    },
  }),

  // Watching from a version that has been forgotten ends with 410 Gone.
  defineRule('watch.history.gone', {
    needs: ['short-history'],
    sabotage: [goes, editEvent('object.kind', { header: { accept: /as=/ } })],
    async check(context) {
      const { secrets, expect } = context;
      const resourceVersion = await forgottenVersion(context);
      const watch = await secrets.watch({ resourceVersion });
      if (watch.status === 410) return;
      expect(watch.status).toBe(200);
      const event = await watch.next('the refusal of a version that is no longer held');
      expect(event).toMatchObject({ type: 'ERROR', object: { kind: 'Status', status: 'Failure', code: 410 } });
      await watch.ended();
      await isToldByStatus(context, resourceVersion);
      if (!context.capabilities.includes('protobuf')) return;
      const query = { watch: 1, resourceVersion };
      const { bytes } = await secrets.getAll(query, { headers: { accept: protobufType } });
      expect(eventsOf(bytes), 'in protobuf').toMatchObject([{ type: 'ERROR', object: { kind: 'Status' } }]);
    },
  }),

  // The default store remembers changes for five minutes.
  defineRule('watch.history.default', {
    needs: ['flags'],
    sabotage: [goes, ignoreQuery('resourceVersion', watches)],
    async check(context) {
      const { server, pass } = await inTime(context);
      const { secrets, looser, expect } = server;
      const { metadata } = await secrets.create();
      const { name } = metadata;
      for (const round of ['one', 'two']) await secrets.merge(name, marking(round));
      await pass(4);
      const watch = await secrets.watch({ resourceVersion: metadata.resourceVersion });
      expect(watch.status, 'a watch from four minutes ago').toBe(200);
      const first = await watch.next('the change after it');
      // Beside all other rules, what stands between the store and its watchers may have forgotten more.
      if (server === context && first.object?.code === 410)
        return looser(() => expect(first.type, 'four minutes later').toBe('MODIFIED'));
      const events = [first, await watch.next('the next one')];
      for (const [at, round] of ['one', 'two'].entries())
        expect(events[at]).toMatchObject({ type: 'MODIFIED', object: merged(marking(round), { metadata: { name } }) });
    },
  }),
];
