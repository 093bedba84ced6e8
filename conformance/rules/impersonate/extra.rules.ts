import { mighty, whoAmI } from '../../checks/access/identity.ts';
import { defineRule } from '../../rule.ts';
import { requestHeader } from '../../sabotage/transforms.ts';

export default [
  // What a header's name cannot hold is percent-encoded there, and decoded again.
  defineRule('impersonate.extra.percent-encoded', {
    needs: ['second-user'],
    sabotage: requestHeader('impersonate-extra-example.com%2fscope', undefined),
    async check(context) {
      const { extra } = await whoAmI(
        context,
        mighty(context.unique('jane'), { 'impersonate-extra-example.com%2fscope': 'one' }),
      );
      context.expect(extra).toEqual({ 'example.com/scope': ['one'] });
      const spellings = { 'impersonate-extra-scopes': 'one', 'impersonate-extra-%73copes': 'two' };
      const spelt = await whoAmI(context, mighty(context.unique('jane'), spellings));
      context.expect([...(spelt.extra?.['scopes'] ?? [])].sort(), 'spelt in two ways').toEqual(['one', 'two']);
    },
  }),
];
