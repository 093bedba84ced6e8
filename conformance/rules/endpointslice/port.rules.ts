import { validityRule } from '../field-rules.ts';
import { defaultRule } from '../unsent-rules.ts';

const kind = 'endpointSlices';
const port = (parts: object) => ({ ports: [{ port: 80, ...parts }] });

export default [
  // A port's number is an int32 that may be left out.
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

  // A port's protocol is `UDP`, `TCP` or `SCTP`.
  validityRule({
    id: 'endpointslice.port.protocol.values',
    kind,
    accepted: { UDP: port({ protocol: 'UDP' }), TCP: port({ protocol: 'TCP' }), SCTP: port({ protocol: 'SCTP' }) },
    refused: { 'another word': port({ protocol: 'ICMP' }), 'lower case': port({ protocol: 'tcp' }) },
  }),

  // A port's protocol is `TCP` unless given.
  defaultRule({
    id: 'endpointslice.port.protocol.default',
    kind,
    over: { ports: [{ name: 'first', port: 79, protocol: 'UDP' }, { port: 80 }] },
    path: 'ports.1.protocol',
    value: 'TCP',
  }),

  // A port's name is a DNS label, or empty.
  validityRule({
    id: 'endpointslice.port.name.label',
    kind,
    accepted: {
      'an empty name': port({ name: '' }),
      'a label': port({ name: 'web-1' }),
      'digits alone': port({ name: '8080' }),
    },
    refused: {
      'upper case': port({ name: 'Web' }),
      'a dash at the end': port({ name: 'web-' }),
      'a dot': port({ name: 'a.b' }),
      'an underscore': port({ name: 'a_b' }),
    },
  }),

  // A port's name has 63 characters and no more.
  validityRule({
    id: 'endpointslice.port.name.max',
    kind,
    accepted: { '63 characters': port({ name: 'a'.repeat(63) }) },
    refused: { '64 characters': port({ name: 'a'.repeat(64) }) },
  }),

  // A port's name is empty unless given.
  defaultRule({
    id: 'endpointslice.port.name.default',
    kind,
    over: { ports: [{ port: 80 }] },
    path: 'ports.0.name',
    value: '',
  }),

  // `appProtocol` may be given in the syntax of labels.
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
