# blender -b --factory-startup --python tests/support/blender.py -- FILE.glb SECONDS…: where Blender's importer puts bones and skin, in the space of glTF, as a line of JSON:
# for each action and moment the heads of bones by name, and the box around all that is seen.
import json
import struct
import sys
import tempfile

import bpy
import numpy

# The importer of Blender 3.4 asks for a name that numpy has no more; Debian ships both.
if not hasattr(numpy, 'bool'):
    numpy.bool = bool

path, *seconds = sys.argv[sys.argv.index('--') + 1 :]


def armatures():
    return [thing for thing in bpy.context.scene.objects if thing.type == 'ARMATURE']


def load(path):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=path)


def resting(path):
    """What bones have where nothing moves them: by armature and bone. The importer leaves the pose of a motion, so the file is opened once without any."""
    with open(path, 'rb') as file:
        whole = file.read()
    length = struct.unpack_from('<I', whole, 12)[0]
    document = json.loads(whole[20 : 20 + length])
    document.pop('animations', None)
    text = json.dumps(document).encode()
    text += b' ' * (-len(text) % 4)
    rest = whole[20 + length :]
    with tempfile.NamedTemporaryFile(suffix='.glb') as still:
        still.write(struct.pack('<4sIIII', b'glTF', 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A) + text + rest)
        still.flush()
        load(still.name)
    return {
        (thing.name, bone.name): (bone.location.copy(), bone.rotation_quaternion.copy(), bone.scale.copy())
        for thing in armatures()
        for bone in thing.pose.bones
    }


still = resting(path)
load(path)
scene = bpy.context.scene
rate = scene.render.fps


def upright(place):
    return [place[0], place[2], -place[1]]


def pose():
    graph = bpy.context.evaluated_depsgraph_get()
    bones = {}
    corners = []
    for thing in scene.objects:
        seen = thing.evaluated_get(graph)
        if thing.type == 'ARMATURE':
            for bone in seen.pose.bones:
                bones[bone.name] = upright(seen.matrix_world @ bone.head)
        elif thing.type == 'MESH' and not thing.hide_get() and thing.name != 'Icosphere':
            mesh = seen.to_mesh()
            corners += [upright(seen.matrix_world @ vertex.co) for vertex in mesh.vertices]
            seen.to_mesh_clear()
    box = [[limit(corner[axis] for corner in corners) for axis in range(3)] for limit in (min, max)] if corners else None
    return {'bones': bones, 'box': box}


def play(action):
    for thing in armatures():
        for track in thing.animation_data.nla_tracks:
            track.mute = True
        # Blender leaves what an action does not move where the one before had it.
        for bone in thing.pose.bones:
            bone.location, bone.rotation_quaternion, bone.scale = still[thing.name, bone.name]
        thing.animation_data.action = action


found = {}
names = sorted({track.name for thing in armatures() if thing.animation_data for track in thing.animation_data.nla_tracks})
for name in names:
    actions = [
        (thing, track.strips[0].action)
        for thing in armatures()
        if thing.animation_data
        for track in thing.animation_data.nla_tracks
        if track.name == name
    ]
    play(actions[0][1])
    found[name] = []
    for second in map(float, seconds):
        frame = second * rate
        scene.frame_set(int(frame), subframe=frame - int(frame))
        found[name].append(pose())
print('FOUND ' + json.dumps(found))
