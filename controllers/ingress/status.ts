import { isIP } from 'node:net';
import type { Ingress } from '../runtime/resources.ts';

/** Where clients reach the controller. */
export interface Point {
  /** Address or name. */
  readonly host: string;
  readonly httpPort: number;
  readonly httpsPort: number;
}

type Points = NonNullable<NonNullable<NonNullable<Ingress['status']>['loadBalancer']>['ingress']>;

/** The points of an Ingress as its status shows them, with every port that is open for it. */
export function pointsOf({ spec }: Ingress, { host, httpPort, httpsPort }: Point): Points {
  const ports = spec?.tls?.length ? [httpPort, httpsPort] : [httpPort];
  return [
    {
      ...(isIP(host) ? { ip: host } : { hostname: host }),
      ports: ports.map((port) => ({ port, protocol: 'TCP' })),
    },
  ];
}

/** Whether the status shows no other points than these. */
export function shows({ status }: Ingress, points: Points): boolean {
  const text = (list: Points): string =>
    JSON.stringify(
      list.map(({ ip, hostname, ports = [] }) => [ip, hostname, ports.map(({ port, protocol }) => [port, protocol])]),
    );
  return text(status?.loadBalancer?.ingress ?? []) === text(points);
}
