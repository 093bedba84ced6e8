import { defineRule } from '../../rule.ts';
import { answerStatus, replaceIn } from '../../sabotage/transforms.ts';
import { expectRefusal, sampleFor, validityRule } from '../field-rules.ts';

const kind = 'endpointSlices';
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => `10.1.${Math.floor(index / 250)}.${(index % 250) + 1}`);
/** What is close to an address, and is none. */
const noIPv4 = [
  '',
  '10.1.2',
  '10.1.2.256',
  '10.1.2.3.4',
  '10.1.2.',
  '10..2.3',
  '10,1.2.3',
  '10.1.2-3',
  '10.1.2.3/24',
  ' 10.1.2.3',
];
const noIPv6 = [
  '2001:db8',
  '2001:db8:0:0:0:0:1',
  '2001:db8::1::2',
  '2001:db8:0:0:0:0:0:0:1',
  '2001:db8::12345',
  '2001:db8::g',
  '2001:db8:',
  '2001:db8::1/64',
  '2001:db8::1%eth0',
  '2001:db8::10.1.2',
];
const endpoint = (addresses?: readonly string[]) => ({ endpoints: [{ ...(addresses ? { addresses } : {}) }] });

export default [
  // An endpoint must have at least one address.
  validityRule({
    id: 'endpointslice.addresses.required',
    kind,
    accepted: { 'one address': endpoint(['10.1.2.3']) },
    refused: { 'no addresses': endpoint(), 'an empty list': endpoint([]) },
  }),

  // An endpoint has 100 addresses and no more.
  validityRule({
    id: 'endpointslice.addresses.max',
    kind,
    accepted: { '100 addresses': endpoint(many(100)) },
    refused: { '101 addresses': endpoint(many(101)) },
  }),

  // What an address is, the slice's type says.
  validityRule({
    id: 'endpointslice.addresses.by-type',
    kind,
    accepted: {
      'the edges of an IPv4 address': endpoint(['10.0.0.255', '223.255.255.254', '1.0.0.0']),
      'IPv4 addresses in their IPv6 form': endpoint(['::ffff:10.1.2.3', '::ffff:a01:204']),
      'an IPv6 address in an IPv6 slice': { addressType: 'IPv6', ...endpoint(['2001:db8::1']) },
      'each way to write an IPv6 address': {
        addressType: 'IPv6',
        ...endpoint([
          '2001:db8:0:1:2:3:4:5',
          '2001:0DB8:abcd:EF01:0:0:0:9',
          '2001:db8:ffff::ffff:1',
          '2001:db8::',
          '::2001:db8:6',
          '2001:db8::10.1.2.3',
        ]),
      },
      'a name in a FQDN slice': { addressType: 'FQDN', ...endpoint(['host.example.com']) },
    },
    refused: {
      'that IPv6 address in an IPv4 slice': endpoint(['2001:db8::1']),
      'that name in an IPv4 slice': endpoint(['host.example.com']),
      'an IPv4 address in an IPv6 slice': { addressType: 'IPv6', ...endpoint(['10.1.2.3']) },
      'its IPv6 form in an IPv6 slice': { addressType: 'IPv6', ...endpoint(['::ffff:10.1.2.3']) },
      'no name in a FQDN slice': { addressType: 'FQDN', ...endpoint(['Not_A_Name.example.com']) },
      'half a name in a FQDN slice': { addressType: 'FQDN', ...endpoint(['host.example.com', 'host']) },
      ...Object.fromEntries(noIPv4.map((text) => [`${JSON.stringify(text)} in an IPv4 slice`, endpoint([text])])),
      ...Object.fromEntries(
        noIPv6.map((text) => [`${text} in an IPv6 slice`, { addressType: 'IPv6', ...endpoint([text]) }]),
      ),
    },
  }),

  // The addresses are merged as a set.
  defineRule('endpointslice.addresses.set', {
    sabotage: [
      answerStatus(422, { method: 'POST', path: /\/endpointslices$/ }),
      replaceIn('endpoints.*.addresses', { path: /\/endpointslices(\/[^/]+)?$/ }),
    ],
    async check(context) {
      const { endpointSlices, looser, expect } = context;
      const distinct = await endpointSlices.post(await sampleFor(context, kind, endpoint(['10.1.2.3', '10.1.2.4'])));
      expect(distinct.status, 'different addresses').toBe(201);
      expect(distinct.body.endpoints[0].addresses, 'different addresses').toEqual(['10.1.2.3', '10.1.2.4']);
      const repeated = await endpointSlices.post(await sampleFor(context, kind, endpoint(['10.1.2.3', '10.1.2.3'])));
      expect([201, 422], 'an address given twice').toContain(repeated.status);
      if (repeated.status === 422) expectRefusal(context, repeated, 'an address given twice');
      await looser(() => {
        if (repeated.status === 201)
          expect(repeated.body.endpoints[0].addresses, 'an address given twice').toEqual(['10.1.2.3']);
      });
    },
  }),
];
