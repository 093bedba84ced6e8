import { validityRule } from '../field-rules.ts';

const hooks =
  (...names: string[]) =>
  async ({ validatingWebhooks }: { validatingWebhooks: { sample: () => { webhooks: object[] } } }) => {
    const [hook] = validatingWebhooks.sample().webhooks;
    return { webhooks: names.map((name) => ({ ...hook, name })) };
  };

export default [
  // No two webhooks of a configuration have the same name.
  validityRule({
    id: 'webhook.name.unique',
    kind: 'validatingWebhooks',
    accepted: { 'different names': hooks('one.touchstone.example', 'two.touchstone.example') },
    refused: { 'one name twice': hooks(...['one', 'two', 'one'].map((name) => `${name}.touchstone.example`)) },
  }),
];
