/** The server cannot start with these options; `exitCode` is what a command line should end with (sysexits EX_CONFIG). */
export class ServerConfigurationError extends Error {
  readonly exitCode = 78;

  constructor(message: string) {
    super(message);
    this.name = "ServerConfigurationError";
  }
}
