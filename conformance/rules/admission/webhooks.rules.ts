import { defineRule } from '../../rule.ts';
import { uncalled } from '../../sabotage/webhooks.ts';
import { configure } from '../../verbs/webhooks.ts';

export default [
  // The two webhook controllers call what has been configured.
  defineRule('admission.webhooks.call', {
    needs: ['webhooks'],
    sabotage: uncalled,
    async check(context) {
      const { secrets, expect } = context;
      const { hooks: mutating } = await configure(context, 'mutating', [{}]);
      const { hooks: validating } = await configure(context, 'validating', [{}]);
      await secrets.create();
      expect(mutating[0]?.received, 'of the mutating one').toHaveLength(1);
      expect(validating[0]?.received, 'of the validating one').toHaveLength(1);
    },
  }),

  // Who turns off the validating one turns off its kind by `--runtime-config` as well.
  defineRule('admission.webhooks.disable', {
    // The mutating one could not do without its kind either.
    flags: [
      '--disable-admission-plugins=ValidatingAdmissionWebhook,MutatingAdmissionWebhook',
      '--runtime-config=admissionregistration.k8s.io/v1=false',
    ],
    sabotage: {
      name: 'still serves the kind',
      begin: () => ({
        answer: (answer, request) =>
          /^\/apis\/admissionregistration/.test(request.path) ? { ...answer, status: 200 } : answer,
      }),
    },
    async check({ send, secrets, expect }) {
      expect((await secrets.post(secrets.sample())).status, 'a create').toBe(201);
      const base = '/apis/admissionregistration.k8s.io/v1';
      for (const kind of ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'])
        expect((await send('GET', `${base}/${kind}`)).status, kind).toBe(404);
      const groups = (await send('GET', '/apis')).body?.groups ?? [];
      expect(
        groups.map(({ name }: { name: string }) => name),
        'groups',
      ).toContain('apps');
      expect(
        groups.map(({ name }: { name: string }) => name),
        'groups',
      ).not.toContain('admissionregistration.k8s.io');
    },
  }),
];
