import { arch, platform } from 'node:process';

/** The nine strings of `/version`. */
export interface VersionInfo {
  readonly major: string;
  readonly minor: string;
  readonly gitVersion: string;
  readonly gitCommit: string;
  readonly gitTreeState: string;
  readonly buildDate: string;
  readonly goVersion: string;
  readonly compiler: string;
  readonly platform: string;
}

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };

/**
 * The version of the API that is served; what names the build says that it is this server. Clients read each field by its
 * form, so those that only a build by Go has are there, and name none.
 */
export const versionInfo: VersionInfo = {
  major: '1',
  minor: '25',
  gitVersion: 'v1.25.0+touchstone',
  gitCommit: '0'.repeat(40),
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: 'go0.0.0',
  compiler: 'node',
  platform: `${platform}/${architectures[arch] ?? arch}`,
};
