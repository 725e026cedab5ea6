// The dumbbell of labs/dumbbell in ns-3: six long flows of one kind over a line of 100 Mb/s with a round trip of 20 ms and
// a drop-tail queue of one bandwidth-delay product.
//
//   dumbbell newreno|cubic SECONDS WARMUP RUN
//
// Prints one line of JSON: goodput in sum (b/s), Jain's index of the flows' goodputs, packets lost of those that
// come to the bottleneck, mean of its queue (bytes of 1,514 a packet, the one on the line included), mean smoothed
// round-trip time (us), fast recoveries, retransmission timeouts.
//
// What is set because it differs from ns-3's defaults:
// - a frame of point-to-point links has 2 bytes besides the IP packet, an Ethernet frame 38 with preamble and gap: rates
//   are those of Ethernet times 1502 / 1538, so that a full packet takes as long;
// - "newreno" is TcpLinuxReno, which counts segments that are acknowledged (RFC 3465); TcpNewReno adds for each
//   acknowledgement, and so grows half as fast with delayed acknowledgements;
// - CUBIC without HyStart;
// - segments of 1,448 bytes, buffers of 16 MB, delayed acknowledgements after 40 ms.
// By default: SACK, time stamps, proportional rate reduction, initial window of 10, timeout of at least 1 s.

#include "connect.h"
#include "ns3/applications-module.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t FLOWS = 6;
constexpr uint16_t PORT = 5001;
// Packets that wait behind the one on the line: with it 166, a bandwidth-delay product of 250 KB.
constexpr const char* QUEUE = "165p";

bool g_counts = false;
uint64_t g_enqueued = 0;
uint64_t g_dropped = 0;
double g_depth = 0;
uint64_t g_samples = 0;
double g_rtt = 0;
uint64_t g_rtts = 0;
uint64_t g_timeouts = 0;
uint64_t g_recoveries = 0;

void
Enqueued(Ptr<const Packet>)
{
    g_enqueued += g_counts;
}

void
Dropped(Ptr<const Packet>)
{
    g_dropped += g_counts;
}

void
Sample(Ptr<Queue<Packet>> queue)
{
    const uint32_t waiting = queue->GetNPackets();
    // Behind something waiting, something is being sent.
    g_depth += waiting == 0 ? 0 : (waiting + 1) * 1514.0;
    g_samples++;
    Simulator::Schedule(MilliSeconds(10), &Sample, queue);
}

void
RoundTrip(Time, Time smoothed)
{
    if (g_counts)
    {
        g_rtt += smoothed.GetSeconds() * 1e6;
        g_rtts++;
    }
}

void
CongestionState(TcpSocketState::TcpCongState_t, TcpSocketState::TcpCongState_t state)
{
    g_timeouts += g_counts && state == TcpSocketState::CA_LOSS;
    g_recoveries += g_counts && state == TcpSocketState::CA_RECOVERY;
}

void
Attach(Ptr<BulkSendApplication> application)
{
    application->GetSocket()->TraceConnectWithoutContext("RTT", MakeCallback(&RoundTrip));
    application->GetSocket()->TraceConnectWithoutContext("CongState",
                                                         MakeCallback(&CongestionState));
}

// The next packet of a device takes up to 100 us more than 450 us, and overtakes none.
void
Jitter(Ptr<PointToPointNetDevice> device,
       Ptr<UniformRandomVariable> random,
       std::shared_ptr<Time> last,
       Ptr<const Packet> packet)
{
    DataRateValue rate;
    device->GetAttribute("DataRate", rate);
    const Time sent = Simulator::Now() + rate.Get().CalculateBytesTxTime(packet->GetSize());
    *last = Max(*last, sent + MicroSeconds(450) + Seconds(random->GetValue(0, 100e-6)));
    device->GetChannel()->SetAttribute("Delay", TimeValue(*last - sent));
}

void
AddJitter(const NetDeviceContainer& devices)
{
    for (uint32_t end = 0; end < 2; end++)
    {
        Ptr<PointToPointNetDevice> device = DynamicCast<PointToPointNetDevice>(devices.Get(end));
        device->TraceConnectWithoutContext("PhyTxBegin",
                                           MakeBoundCallback(&Jitter,
                                                             device,
                                                             CreateObject<UniformRandomVariable>(),
                                                             std::make_shared<Time>()));
    }
}

// A line that takes as long for a full packet as Ethernet of so many bits a second.
DataRate
Ethernet(double rate)
{
    return DataRate(static_cast<uint64_t>(rate * 1502 / 1538));
}

} // namespace

int
main(int argc, char** argv)
{
    const std::string kind = argc > 1 ? argv[1] : "newreno";
    const double seconds = argc > 2 ? std::atof(argv[2]) : 60;
    const double warmup = argc > 3 ? std::atof(argv[3]) : 10;
    RngSeedManager::SetRun(argc > 4 ? std::atoi(argv[4]) : 1);

    Config::SetDefault("ns3::TcpL4Protocol::SocketType",
                       StringValue(kind == "cubic" ? "ns3::TcpCubic" : "ns3::TcpLinuxReno"));
    Config::SetDefault("ns3::TcpL4Protocol::RecoveryType", StringValue("ns3::TcpPrrRecovery"));
    Config::SetDefault("ns3::TcpCubic::HyStart", BooleanValue(false));
    Config::SetDefault("ns3::TcpSocketBase::Sack", BooleanValue(true));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(Seconds(1)));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1448));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(10));
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(2));
    Config::SetDefault("ns3::TcpSocket::DelAckTimeout", TimeValue(MilliSeconds(40)));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(16 << 20));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(16 << 20));

    NodeContainer switches(2);
    NodeContainer senders(FLOWS);
    NodeContainer receivers(FLOWS);
    InternetStackHelper stack;
    stack.Install(switches);
    stack.Install(senders);
    stack.Install(receivers);
    Ipv4AddressHelper addresses("10.0.0.0", "255.255.255.252");
    NetDeviceContainer core =
        Connect(switches.Get(0), switches.Get(1), Ethernet(100e6), MilliSeconds(9), QUEUE, addresses);
    for (uint32_t flow = 0; flow < FLOWS; flow++)
    {
        AddJitter(
            Connect(senders.Get(flow), switches.Get(0), Ethernet(1e9), MicroSeconds(450), "100000p", addresses));
        AddJitter(
            Connect(receivers.Get(flow), switches.Get(1), Ethernet(1e9), MicroSeconds(450), "100000p", addresses));
    }
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();

    Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
    std::vector<Ptr<PacketSink>> sinks;
    for (uint32_t flow = 0; flow < FLOWS; flow++)
    {
        Ptr<Ipv4> to = receivers.Get(flow)->GetObject<Ipv4>();
        BulkSendHelper bulk("ns3::TcpSocketFactory",
                            InetSocketAddress(to->GetAddress(1, 0).GetLocal(), PORT));
        bulk.SetAttribute("MaxBytes", UintegerValue(0));
        bulk.SetAttribute("SendSize", UintegerValue(14480));
        ApplicationContainer sender = bulk.Install(senders.Get(flow));
        // Runs differ by when flows start, within a millisecond.
        const double start = random->GetValue(0, 1e-3);
        sender.Start(Seconds(start));
        Simulator::Schedule(Seconds(start + 1e-6),
                            &Attach,
                            DynamicCast<BulkSendApplication>(sender.Get(0)));
        PacketSinkHelper sink("ns3::TcpSocketFactory",
                              InetSocketAddress(Ipv4Address::GetAny(), PORT));
        ApplicationContainer receiver = sink.Install(receivers.Get(flow));
        sinks.push_back(DynamicCast<PacketSink>(receiver.Get(0)));
    }

    Ptr<Queue<Packet>> queue = DynamicCast<PointToPointNetDevice>(core.Get(0))->GetQueue();
    queue->TraceConnectWithoutContext("Enqueue", MakeCallback(&Enqueued));
    // A full device stops its queue; what then comes is dropped above it.
    queue->TraceConnectWithoutContext("Drop", MakeCallback(&Dropped));
    switches.Get(0)->GetObject<TrafficControlLayer>()->TraceConnectWithoutContext(
        "TcDrop",
        MakeCallback(&Dropped));
    std::vector<uint64_t> before(FLOWS);
    Simulator::Schedule(Seconds(warmup), [&]() {
        g_counts = true;
        for (uint32_t flow = 0; flow < FLOWS; flow++)
        {
            before[flow] = sinks[flow]->GetTotalRx();
        }
        Sample(queue);
    });
    Simulator::Stop(Seconds(seconds));
    Simulator::Run();

    double sum = 0;
    double squares = 0;
    for (uint32_t flow = 0; flow < FLOWS; flow++)
    {
        const double bytes = static_cast<double>(sinks[flow]->GetTotalRx() - before[flow]);
        sum += bytes;
        squares += bytes * bytes;
    }
    std::printf("{\"goodput_bps\": %.0f, \"jain\": %.5f, \"loss\": %.6f, \"queue_bytes\": %.0f, "
                "\"rtt_us\": %.1f, \"recoveries\": %llu, \"timeouts\": %llu}\n",
                sum * 8 / (seconds - warmup),
                sum * sum / (FLOWS * squares),
                static_cast<double>(g_dropped) / static_cast<double>(g_enqueued + g_dropped),
                g_depth / static_cast<double>(g_samples),
                g_rtt / static_cast<double>(g_rtts),
                static_cast<unsigned long long>(g_recoveries),
                static_cast<unsigned long long>(g_timeouts));
    Simulator::Destroy();
    return 0;
}
