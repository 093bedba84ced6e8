import { type Variants, validityRule } from '../field-rules.ts';

const backend = { service: { name: 'front', port: { number: 80 } } };
const host = (value?: string) => ({
  spec: {
    rules: [
      {
        ...(value === undefined ? {} : { host: value }),
        http: { paths: [{ path: '/', pathType: 'Prefix', backend }] },
      },
    ],
  },
});
const hosts = (...values: string[]): Variants => Object.fromEntries(values.map((value) => [value, host(value)]));
const rule = (name: string, accepted: Variants, refused: Variants) =>
  validityRule({ id: `ingress.host.${name}`, kind: 'ingresses', accepted, refused });

export default [
  rule(
    'fqdn',
    { ...hosts('www.example.com'), 'left out': host() },
    hosts('www_example.com', 'WWW.example.com', 'www..example.com'),
  ),
  rule('no-ip', hosts('ten.example.com'), hosts('10.1.2.3', '2001:db8::1')),
  rule('no-port', hosts('www.example.com'), hosts('www.example.com:80')),
  rule('precise', hosts('foo.bar.com'), {}),
  rule('wildcard', hosts('*.foo.com', '*.local'), hosts('*', 'foo.*.com', '*foo.com', '*.*.com', 'foo.com.*')),
];
