/** The newest of our protocols that the client speaks too. @param offered values of headers, comma-separated or several */
export function agreeOn(offered: string | readonly string[] | undefined, ours: readonly string[]): string | undefined {
  const theirs = [offered ?? []]
    .flat()
    .flatMap((each) => each.split(','))
    .map((each) => each.trim());
  return ours.find((each) => theirs.includes(each));
}

/** How streams of exec and attach are told apart, newest first. */
export const channelProtocols: readonly string[] = [
  'v5.channel.k8s.io',
  'v4.channel.k8s.io',
  'v3.channel.k8s.io',
  'v2.channel.k8s.io',
  'channel.k8s.io',
];

/** Whether a failure is told as a Status, with its exit code, rather than as a text. */
const tellsStatus = (protocol: string): boolean => /^v[45]\./.test(protocol);

/** Whether channels of a WebSocket can end one by one. */
export const tellsEnds = (protocol: string): boolean => protocol.startsWith('v5.');

export const portForwardProtocol = 'portforward.k8s.io';
/** SPDY within the messages of a WebSocket. */
export const tunnelProtocol = 'SPDY/3.1+portforward.k8s.io';

/** How a command ended, as the object that clients read from the error stream. */
export function statusText(protocol: string, exitCode: number): string {
  const message = `command terminated with non-zero exit code: exit status ${exitCode}`;
  if (!tellsStatus(protocol)) return exitCode === 0 ? '' : message;
  if (exitCode === 0) return JSON.stringify({ metadata: {}, status: 'Success' });
  const causes = [{ reason: 'ExitCode', message: String(exitCode) }];
  return JSON.stringify({
    metadata: {},
    status: 'Failure',
    message,
    reason: 'NonZeroExitCode',
    details: { causes },
  });
}

/** What went wrong before the command could end. */
export const failureText = (protocol: string, message: string): string =>
  tellsStatus(protocol)
    ? JSON.stringify({ metadata: {}, status: 'Failure', message, reason: 'InternalError', code: 500 })
    : message;
