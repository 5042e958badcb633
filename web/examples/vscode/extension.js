// The extension: a read-only editor that shows models and animations.
const vscode = require('vscode');
const { filesFor, previewPage } = require('./page.js');

class Preview {
  constructor(extension) {
    this.viewer = vscode.Uri.joinPath(extension, 'viewer');
  }

  openCustomDocument(uri) {
    return { uri, dispose() {} };
  }

  async resolveCustomEditor({ uri }, { webview, onDidDispose }) {
    const folder = vscode.Uri.joinPath(uri, '..');
    const name = uri.path.split('/').at(-1);
    webview.options = { enableScripts: true, localResourceRoots: [this.viewer, folder] };
    const address = (base, path) => webview.asWebviewUri(vscode.Uri.joinPath(base, path)).toString();
    const show = async () => {
      const entries = await vscode.workspace.fs.readDirectory(folder);
      const siblings = entries.filter(([, type]) => type & vscode.FileType.File).map(([each]) => each);
      const { model, files } = filesFor(name, siblings);
      webview.html = previewPage({
        cspSource: webview.cspSource,
        script: address(this.viewer, 'browser/element.js'),
        style: address(this.viewer, 'preview.css'),
        model: address(folder, model),
        files: files.map(each => address(folder, each)),
        title: name,
      });
    };
    // Shows the file again when another program has written it. The same HTML would not reload the
    // page, so it is cleared first.
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, name));
    watcher.onDidChange(async () => {
      webview.html = '';
      await show();
    });
    onDidDispose(() => watcher.dispose());
    await show();
  }
}

exports.activate = ({ extensionUri, subscriptions }) => {
  // Files of other programs have a second type, which is not the default editor.
  for (const type of ['rigcast.preview', 'rigcast.previewOther'])
    subscriptions.push(vscode.window.registerCustomEditorProvider(type, new Preview(extensionUri)));
};
