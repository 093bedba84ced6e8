import { defaultRule, validityRule } from '../field-rules.ts';

const kind = 'endpointSlices';
const port = (parts: object) => ({ ports: [{ port: 80, ...parts }] });

export default [
  validityRule({
    id: 'endpointslice.port.number',
    kind,
    accepted: { 'a number': port({ port: 8080 }), 'no number': { ports: [{ name: 'any' }] } },
    refused: {
      'a text': port({ port: '80' }),
      'a fraction': port({ port: 80.5 }),
      'more than an int32': port({ port: 2147483648 }),
    },
  }),

  validityRule({
    id: 'endpointslice.port.protocol.values',
    kind,
    accepted: { UDP: port({ protocol: 'UDP' }), TCP: port({ protocol: 'TCP' }), SCTP: port({ protocol: 'SCTP' }) },
    refused: { 'another word': port({ protocol: 'ICMP' }), 'lower case': port({ protocol: 'tcp' }) },
  }),

  defaultRule({
    id: 'endpointslice.port.protocol.default',
    kind,
    over: { ports: [{ port: 80 }] },
    path: 'ports.0.protocol',
    value: 'TCP',
  }),

  validityRule({
    id: 'endpointslice.port.name.label',
    kind,
    accepted: { 'an empty name': port({ name: '' }), 'a label': port({ name: 'web-1' }) },
    refused: {
      'upper case': port({ name: 'Web' }),
      'a dash at the end': port({ name: 'web-' }),
      'a dot': port({ name: 'a.b' }),
      'an underscore': port({ name: 'a_b' }),
    },
  }),

  validityRule({
    id: 'endpointslice.port.name.max',
    kind,
    accepted: { '63 characters': port({ name: 'a'.repeat(63) }) },
    refused: { '64 characters': port({ name: 'a'.repeat(64) }) },
  }),

  defaultRule({
    id: 'endpointslice.port.name.default',
    kind,
    over: { ports: [{ port: 80 }] },
    path: 'ports.0.name',
    value: '',
  }),

  validityRule({
    id: 'endpointslice.port.app-protocol.syntax',
    kind,
    accepted: {
      'a word': port({ appProtocol: 'http' }),
      'a prefixed name': port({ appProtocol: 'example.com/my-protocol' }),
      'left out': port({}),
    },
    refused: { 'a blank': port({ appProtocol: 'my protocol' }), 'two slashes': port({ appProtocol: 'a/b/c' }) },
  }),
];
