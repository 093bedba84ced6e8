import { defineRule, type Rule } from '../rule.ts';
import { answerStatus, redirectPath } from '../sabotage/transforms.ts';
import { type KindName, kindPaths } from '../verbs/kinds.ts';

/** The kind has no status subresource: its objects answer 404 there. */
export const noStatusRule = (chapter: string, kind: KindName): Rule =>
  defineRule(`${chapter}.endpoint.no-status`, {
    sabotage: [answerStatus(200, statusOf(kind)), redirectPath(/\/status$/, '', statusOf(kind))],
    async check(context) {
      const objects = context[kind];
      const over = kind === 'events' ? { regarding: { namespace: await context.namespace() } } : {};
      const { metadata } = await objects.create(over);
      context.expect((await objects.get(metadata.name)).status, 'the object itself').toBe(200);
      context.expect((await objects.get(metadata.name, '', { sub: 'status' })).status, 'its status').toBe(404);
    },
  });

const statusOf = (kind: KindName) => ({
  method: 'GET',
  path: new RegExp(`/${kindPaths[kind].resource}/[^/]+/status$`),
});
