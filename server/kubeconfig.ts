/** A client configuration (JSON, which is YAML) that logs in with a token. */
export function kubeconfigFor({
  url,
  certificateAuthority,
  token,
}: {
  readonly url: string;
  readonly certificateAuthority: string;
  readonly token: string;
}): string {
  const name = 'touchstone';
  return `${JSON.stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name,
          cluster: { server: url, 'certificate-authority-data': Buffer.from(certificateAuthority).toString('base64') },
        },
      ],
      users: [{ name, user: { token } }],
      contexts: [{ name, context: { cluster: name, user: name } }],
      'current-context': name,
    },
    null,
    2,
  )}\n`;
}
